"""Clicks through the pages rich.html, hostile.html and long.html of a folder in headless Chromium.

	click.py FOLDER FOLDER_FOR_THE_BROWSER
"""
import json
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FLAGS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
	--disable-component-update --disable-sync --disable-dev-shm-usage --window-size=1400,900""".split()

folder, scratch = sys.argv[1:3]
failures = []


def start():
	options = Options()
	options.binary_location = "/usr/bin/chromium"
	for flag in FLAGS:
		options.add_argument(flag)
	options.add_argument("--user-data-dir=" + tempfile.mkdtemp(dir=scratch))
	options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
	return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


browser = start()


def is_so(what, value):
	if not value:
		failures.append(what)


def run(script, *arguments):
	return browser.execute_script(script, *arguments)


def one(selector):
	return browser.find_element(By.CSS_SELECTOR, selector)


def press(*keys):
	for key in keys:
		ActionChains(browser).send_keys(key).perform()


def open_page(name):
	browser.get("about:blank")
	browser.get("file://%s/%s.html" % (folder, name))


def chosen():
	"""The number of the chosen step, if all parts of the page agree."""
	return run("""
		var current = document.querySelectorAll(".step.current"), links = document.querySelectorAll("[aria-current]");
		if (current.length !== 1 || links.length !== 1 || !current[0].contains(links[0]))
			return 0;
		return Number(current[0].dataset.step);""")


def marked():
	"""The id of the line that is marked, and whether it is in view, both in its frame and in the window."""
	return run("""
		var line = document.querySelectorAll(".line.current");
		if (line.length !== 1)
			return [null, false];
		var box = line[0].getBoundingClientRect(), frame = line[0].closest(".scroll").getBoundingClientRect();
		var top = Math.max(frame.top, 0), bottom = Math.min(frame.bottom, innerHeight);
		return [line[0].id, box.top >= top && box.bottom <= bottom];""")


def visible(selector):
	return run("return Array.from(document.querySelectorAll(arguments[0])).filter("
		"e => e.checkVisibility({contentVisibilityAuto: true})).map(e => e.id || e.textContent);", selector)


# --- steps, source, memory ---

def try_steps():
	is_so("the first step is chosen", chosen() == 1)
	one("#step-3 .sentence").click()
	is_so("a click chooses a step", chosen() == 3)
	is_so("its line is marked and in view: %s" % marked(), marked() == ["line-0-28", True])
	is_so("and what begins at its column", run(
		"return Array.from(document.querySelectorAll('mark.current')).map(e => e.textContent).join()") == "sum")
	is_so("its values are shown, and no others", visible(".values caption") == ["Values at step 3"])
	is_so("the memory is that of the step", visible("#memory figure") == ["memory-3"])
	is_so("the address names it", browser.current_url.endswith("#step-3"))
	press("k")
	is_so("k goes back", chosen() == 2 and marked() == ["line-0-27", True])
	is_so("the memory goes along", visible("#memory figure") == ["memory-2"])
	press("j", "j")
	is_so("j goes on", chosen() == 4 and marked() == ["line-0-37", True])
	is_so("where no memory was taken, that is said", visible("#memory figure, #no-memory") == ["no-memory"])
	press(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_DOWN)
	is_so("arrow keys go in the chain", chosen() == 3)
	press("k", "k", "k", "k")
	is_so("before the first there is none", chosen() == 1)
	press("G", "j")
	is_so("behind the last neither", chosen() == 5)
	press("g", Keys.ENTER)
	is_so("Enter goes to the source", run("return document.activeElement.id") == "line-0-37")
	press(Keys.ESCAPE)
	is_so("Escape goes back", run("return document.activeElement.closest('.step').id") == "step-1")
	run("document.querySelector('.line').scrollIntoView({block: 'center'})")
	one(".badge[href='#step-2']").click()
	one(".badge[href='#step-3']").click()
	is_so("a number in the source chooses its step", chosen() == 3)
	one("header a.place").click()
	is_so("a place shows its line", marked() == ["line-0-37", True])
	one("#suspect-3 a.place").click()
	is_so("in another file as well: %s" % marked(), marked() == ["line-1-12", True])


def try_focus():
	press("j")
	is_so("the focus can be seen", run(
		"var e = document.activeElement, s = getComputedStyle(e.closest('.step')); return e.matches(':focus-visible') &&"
		" s.outlineStyle === 'solid' && parseFloat(s.outlineWidth) >= 2"))
	is_so("it is told", one("#status").get_attribute("textContent") == "step 4 of 5")


# --- the tree ---

def is_open(number):
	return run("return document.querySelector('#cause-%d > details').open" % number)


def try_tree():
	is_so("what leads to the proven cause is unfolded", [is_open(n) for n in (1, 2, 4)] == [True] * 3)
	is_so("another is not", not is_open(5))
	one("[data-tree=none]").click()
	is_so("all is folded", visible(".cause") == ["cause-1"])
	one("#cause-1 > details > summary .number").click()
	is_so("a click unfolds", visible(".cause") == ["cause-1", "cause-2", "cause-3"])
	press("t", Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
	is_so("so do keys", is_open(2) and visible(".cause") == ["cause-1", "cause-2", "cause-4", "cause-3"])
	press(Keys.ARROW_RIGHT)
	is_so("they go down", run("return document.activeElement.closest('.cause').id") == "cause-4")
	press(Keys.ARROW_LEFT)
	is_so("and up", run("return document.activeElement.closest('.cause').id") == "cause-2" and is_open(2))
	press(Keys.ARROW_LEFT)
	is_so("they fold", not is_open(2))
	one("[data-tree=all]").click()
	is_so("all is unfolded", all(is_open(n) for n in range(1, 6)))
	one("[data-tree=proven]").click()
	is_so("to the proven only", [is_open(n) for n in range(1, 6)] == [True, True, False, True, False])


# --- experiments ---

def column(number):
	return run("return Array.from(document.querySelectorAll('.experiments tbody tr:not([hidden])')).map("
		"r => r.cells[arguments[0]].innerText.trim())", number)


def sort_by(name):
	run("Array.from(document.querySelectorAll('.experiments th button')).find("
		"b => b.textContent === arguments[0]).click()", name)


def try_experiments():
	is_so("all are there", column(0) == ["4", "5", "9", "12", "13", "31", "30"])
	sort_by("number")
	is_so("by number", column(0) == ["4", "5", "9", "12", "13", "30", "31"])
	sort_by("number")
	is_so("backwards", column(0) == ["31", "30", "13", "12", "9", "5", "4"])
	is_so("which is told", one(".experiments th").get_attribute("aria-sort") == "descending")
	sort_by("for")
	is_so("by what they are for", column(1)[0] == "cause 3" and column(1)[-1] == "step 3")
	press("/")
	is_so("/ goes to the search", run("return document.activeElement.id") == "find")
	press("s", "u", "m")
	is_so("it filters, and letters are no keys there: %s" % column(0), sorted(column(0)) == ["12", "13"] and chosen() == 4)
	is_so("how many is told", one("#shown").text == "2 of 7")
	press(Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
	one("#outcome option:nth-child(2)").click()
	is_so("by outcome", sorted(column(0)) == ["12", "30", "5", "9"])
	one("#outcome option:nth-child(1)").click()
	one("a.owner[href='#cause-4']").click()
	is_so("a cause is shown", run("return document.activeElement.closest('.cause').id") == "cause-4")


# --- the look ---

def paper():
	return run("return getComputedStyle(document.documentElement).backgroundColor")


def prefer(theme):
	browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
		{"features": [{"name": "prefers-color-scheme", "value": theme}]})


def try_themes():
	light, dark = "rgb(251, 250, 247)", "rgb(21, 23, 27)"
	prefer("dark")
	is_so("dark, as the user prefers", paper() == dark)
	prefer("light")
	is_so("light likewise", paper() == light)
	one("#theme").click()
	is_so("the button turns it", paper() == dark and one("#theme").text == "light")
	press("d")
	is_so("so does a key", paper() == light)
	press("?")
	is_so("? shows the keys", one("#keys").is_displayed())
	press(Keys.ESCAPE)
	is_so("Escape closes them", not one("#keys").is_displayed())


def try_narrow():
	browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
		{"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False})
	is_so("a narrow window is not too narrow: %s" % run("return document.documentElement.scrollWidth"),
		run("return document.documentElement.scrollWidth <= innerWidth"))
	browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


# --- other pages ---

def try_long():
	is_so("steps that are dull are folded", "step-3" not in visible(".step"))
	press("j", "j")
	is_so("keys unfold them", chosen() == 3 and "step-3" in visible(".step"))
	press("G")
	is_so("the last line is in view: %s" % marked(), marked() == ["line-0-393", True])
	is_so("and the last step", run("var b = document.querySelector('.step.current .choose').getBoundingClientRect();"
		"return b.top >= 0 && b.bottom <= innerHeight"))


def try_hostile():
	one("#step-3 .sentence").click()
	press("j", "k", "t", "?")
	is_so("a text was run", run("return window.pwned === undefined"))
	is_so("a text became an element", run("return document.querySelectorAll('img, script').length") == 1)
	is_so("texts are shown", "<script>window.pwned=1</script>" in one("h1").text)


def try_without_script():
	browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
	open_page("rich")
	text = one("main").text
	for words in ("Values at step 1", "Values at step 5", "with sum = 47 the failing run passes", "Memory at step 2",
			"sum gets its value here", "neither passes nor fails", "How it was established"):
		is_so("without its script the page does not say '%s'" % words, words in text)
	is_so("buttons that do nothing", not one("#theme").is_displayed() and not one("#find").is_displayed())
	details = one("#cause-3 > details")
	one("#cause-3 > details > summary .number").click()
	is_so("folds work", details.get_attribute("open") is None)
	browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def try_silence():
	"""The logs of all that was done: no complaint of the browser, and nothing was asked for but the pages."""
	for entry in browser.get_log("browser"):
		failures.append("the browser says: %s" % entry["message"])
	asked = set()
	for entry in browser.get_log("performance"):
		message = json.loads(entry["message"])["message"]
		if message["method"] == "Network.requestWillBeSent" and message["params"]["documentURL"].startswith("file:"):
			asked.add(message["params"]["request"]["url"].split("#")[0])
	is_so("asked for: %s" % asked, asked == {"file://%s/%s.html" % (folder, n) for n in ("rich", "hostile", "long")})


def try_injection():
	"""If a text became an element nevertheless, the browser would not obey it: the policy works."""
	open_page("rich")
	run("""document.body.insertAdjacentHTML("beforeend", '<img src="x" onerror="window.pwned = 1">');
		var script = document.createElement("script");
		script.textContent = "window.pwned = 2";
		document.body.appendChild(script);""")
	is_so("the policy keeps scripts from running", run("return window.pwned === undefined"))
	refused = [entry["message"] for entry in browser.get_log("browser")]
	is_so("both are refused: %s" % refused, len([m for m in refused if "Content Security Policy" in m]) >= 2)


try:
	open_page("rich")
	for part in (try_steps, try_focus, try_tree, try_experiments, try_themes, try_narrow):
		part()
	open_page("long")
	try_long()
	open_page("hostile")
	try_hostile()
	try_without_script()
	try_silence()
	try_injection()
finally:
	browser.quit()
for failure in failures:
	print("not so: " + failure)
sys.exit(1 if failures else 0)
