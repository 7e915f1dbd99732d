/*
 * What can be done with an explanation in the page: steps are chosen, causes folded, experiments sorted and filtered.
 * Without it the page is a document that says the same. It makes no elements from texts: all that is shown is in the
 * page already. Compiled into hence; the page obeys no other script.
 */
(function () {
	"use strict";

	var root = document.documentElement;
	var current = 0; /* number of the chosen step; 0: none */

	function one(selector, from) {
		return (from || document).querySelector(selector);
	}

	function all(selector, from) {
		return Array.prototype.slice.call((from || document).querySelectorAll(selector));
	}

	var steps = all(".step");

	/* --- dark and light --- */

	function isDark() {
		var chosen = root.getAttribute("data-theme");
		return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	}

	function nameTheme() {
		one("#theme").textContent = isDark() ? "light" : "dark";
	}

	/* A browser may forbid to remember things; then the choice lasts as long as the page. */
	function remember(theme) {
		try {
			localStorage.setItem("hence-theme", theme);
		} catch (ignored) {
			return;
		}
	}

	function remembered() {
		try {
			return localStorage.getItem("hence-theme");
		} catch (ignored) {
			return null;
		}
	}

	function toggleTheme() {
		var theme = isDark() ? "light" : "dark";
		root.setAttribute("data-theme", theme);
		remember(theme);
		nameTheme();
	}

	function startTheme() {
		var theme = remembered();
		if (theme === "dark" || theme === "light")
			root.setAttribute("data-theme", theme);
		nameTheme();
		one("#theme").addEventListener("click", toggleTheme);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
	}

	/* --- the source --- */

	/* Source and memory stay beside the chain, and use what is left of the window. */
	function fit() {
		var stage = one(".stage");
		if (!stage)
			return;
		var wide = getComputedStyle(stage).position === "sticky";
		var top = wide ? Math.max(stage.getBoundingClientRect().top, 16) : 0;
		stage.style.height = wide ? Math.max(innerHeight - top - 16, 400) + "px" : "";
	}

	/* Scrolls what is around it, and not the whole page. */
	function reveal(line) {
		var around = line && line.closest(".scroll");
		if (!around)
			return;
		var box = line.getBoundingClientRect(), frame = around.getBoundingClientRect();
		var head = 44; /* the name of the file stays on top */
		if (box.top < frame.top + head || box.bottom > frame.bottom - head)
			around.scrollTop += box.top - frame.top - around.clientHeight / 3;
		var mark = one("mark.current", line);
		around.scrollLeft = 0;
		if (mark && mark.getBoundingClientRect().right > frame.right - 16)
			around.scrollLeft += mark.getBoundingClientRect().right - frame.right + 64;
	}

	function unmark() {
		all(".line.current, .line mark.current, .badge.current").forEach(function (e) {
			e.classList.remove("current");
		});
	}

	function lineOf(link) {
		var id = link.getAttribute("href").slice(1);
		return id.indexOf("line-") === 0 ? document.getElementById(id) : null;
	}

	/* The line of a step, with what belongs to it there and elsewhere. */
	function markStep(step) {
		var number = step.getAttribute("data-step"), line = lineOf(one(".choose", step));
		unmark();
		all('mark[data-steps~="' + number + '"]').forEach(function (e) {
			e.classList.add("current");
		});
		all('.badge[href="#step-' + number + '"]').forEach(function (e) {
			e.classList.add("current");
		});
		if (line)
			line.classList.add("current");
		reveal(line);
	}

	function showLine(line) {
		unmark();
		line.classList.add("current");
		reveal(line);
		if (line.getBoundingClientRect().top < 0 || line.getBoundingClientRect().bottom > innerHeight)
			line.scrollIntoView({block: "center"});
	}

	/* --- steps --- */

	function showMemory(number) {
		var figures = all("figure[data-step]"), found = false;
		figures.forEach(function (figure) {
			var chosen = figure.getAttribute("data-step") === String(number);
			figure.classList.toggle("current", chosen);
			found = found || chosen;
		});
		if (figures.length)
			one("#no-memory").hidden = found;
	}

	/* So that the address names the step; some browsers forbid it for files. */
	function address(id) {
		try {
			history.replaceState(null, "", "#" + id);
		} catch (ignored) {
			return;
		}
	}

	function unfoldAround(element) {
		for (var e = element.parentElement; e; e = e.parentElement)
			if (e.tagName === "DETAILS")
				e.open = true;
	}

	/* Other steps fold, so what is below moves: it is put back to where it was, and into view. */
	function choose(number, focus) {
		var step = steps[number - 1];
		if (!step)
			return;
		var link = one(".choose", step), before = link.getBoundingClientRect().top;
		var first = !current;
		steps.forEach(function (other) {
			other.classList.toggle("current", other === step);
			one(".choose", other).removeAttribute("aria-current");
		});
		link.setAttribute("aria-current", "step");
		unfoldAround(step);
		current = number;
		showMemory(number);
		markStep(step);
		if (first)
			return;
		scrollBy(0, link.getBoundingClientRect().top - before);
		if (focus)
			link.focus({preventScroll: true});
		step.scrollIntoView({block: "nearest"});
		address("step-" + number);
		one("#status").textContent = "step " + number + " of " + steps.length;
	}

	function focusLine() {
		var line = current && lineOf(one(".choose", steps[current - 1]));
		if (!line)
			return;
		line.setAttribute("tabindex", "-1");
		showMemory(current);
		markStep(steps[current - 1]);
		line.focus({preventScroll: true});
		if (line.getBoundingClientRect().top < 0 || line.getBoundingClientRect().bottom > innerHeight)
			line.scrollIntoView({block: "center"});
	}

	function chooseByClick(event) {
		var step = event.target.closest(".step"), inner = event.target.closest("a, summary, button");
		if (!step || (inner && !inner.classList.contains("choose")))
			return;
		if (!inner && event.target.closest(".body"))
			return; /* there a text may be marked, to be copied */
		if (event.ctrlKey || event.metaKey || event.shiftKey)
			return;
		event.preventDefault();
		/* Enter on a link comes as a click that no mouse button made. */
		if (event.detail === 0 && steps.indexOf(step) + 1 === current)
			focusLine();
		else
			choose(steps.indexOf(step) + 1, true);
	}

	/* Links to steps, lines, memory and causes show these instead of jumping to them. */
	function follow(event) {
		var link = event.target.closest("a[href^='#']");
		if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey)
			return;
		var id = link.getAttribute("href").slice(1);
		if (show(id))
			event.preventDefault();
	}

	function show(id) {
		var element = document.getElementById(id), kind = id.split("-")[0];
		if (!element || id.indexOf("-") < 0)
			return false;
		if (kind === "step") {
			choose(Number(id.slice(5)), true);
		} else if (kind === "line") {
			showLine(element);
		} else if (kind === "memory") {
			choose(Number(id.slice(7)), false);
			element.scrollIntoView({block: "nearest"});
		} else if (kind === "cause") {
			showCause(element);
		} else {
			return false;
		}
		return true;
	}

	/* --- the cause tree --- */

	function showCause(cause) {
		all(".cause.current").forEach(function (e) {
			e.classList.remove("current");
		});
		unfoldAround(cause);
		cause.classList.add("current");
		one("details", cause).open = true;
		one("summary", cause).focus({preventScroll: true});
		one("summary", cause).scrollIntoView({block: "center"});
	}

	function foldTree(how) {
		all(".cause > details").forEach(function (details) {
			details.open = how === "all" ||
				(how === "proven" && details.parentElement.classList.contains("lead"));
		});
	}

	/* Is nothing folded that it is in? */
	function isSeen(cause) {
		for (var e = cause.parentElement.closest(".cause"); e; e = e.parentElement.closest(".cause"))
			if (!one("details", e).open)
				return false;
		return true;
	}

	/* The causes that can be seen, from above. */
	function visibleCauses() {
		return all(".cause").filter(isSeen).map(function (cause) {
			return one("summary", cause);
		});
	}

	function walkTree(event, summary) {
		var details = summary.parentElement, list = visibleCauses(), at = list.indexOf(summary);
		var up = details.parentElement.parentElement.closest(".cause");
		var to = null;
		if (event.key === "ArrowDown")
			to = list[at + 1];
		else if (event.key === "ArrowUp")
			to = list[at - 1];
		else if (event.key === "ArrowRight" && !details.open)
			details.open = true;
		else if (event.key === "ArrowRight")
			to = one("summary", one(".causes", details) || summary);
		else if (event.key === "ArrowLeft" && details.open)
			details.open = false;
		else if (event.key === "ArrowLeft")
			to = up && one("summary", up);
		else
			return false;
		if (to)
			to.focus();
		return true;
	}

	function startTree() {
		all("[data-tree]").forEach(function (button) {
			button.addEventListener("click", function () {
				foldTree(button.getAttribute("data-tree"));
			});
		});
	}

	/* --- experiments --- */

	function keyOf(row, column) {
		var cell = row.cells[column];
		return cell.getAttribute("data-key") || cell.textContent;
	}

	/* Numbers by their value, and in texts as well: line 9 comes before line 10. */
	function compare(a, b) {
		return a.localeCompare(b, undefined, {numeric: true});
	}

	function sortBy(table, column) {
		var head = table.tHead.rows[0].cells[column], body = table.tBodies[0];
		var down = head.getAttribute("aria-sort") === "ascending";
		all("th", table.tHead).forEach(function (th) {
			th.removeAttribute("aria-sort");
		});
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		all("tr", body).map(function (row, index) {
			return {row: row, key: keyOf(row, column), index: index};
		}).sort(function (a, b) {
			return (down ? compare(b.key, a.key) : compare(a.key, b.key)) || a.index - b.index;
		}).forEach(function (entry) {
			body.appendChild(entry.row);
		});
	}

	function filter() {
		var words = one("#find").value.toLowerCase().split(/\s+/), outcome = one("#outcome").value;
		var rows = all(".experiments tbody tr"), shown = 0;
		rows.forEach(function (row) {
			var text = row.textContent.toLowerCase();
			var fits = (!outcome || row.getAttribute("data-outcome") === outcome) &&
				words.every(function (word) { return text.indexOf(word) >= 0; });
			row.hidden = !fits;
			shown += fits ? 1 : 0;
		});
		one("#shown").textContent = shown + " of " + rows.length;
	}

	function startExperiments() {
		var table = one(".experiments");
		if (!table)
			return;
		all("th", table.tHead).forEach(function (th, column) {
			var button = document.createElement("button");
			button.type = "button";
			button.textContent = th.textContent;
			th.textContent = "";
			th.appendChild(button);
			button.addEventListener("click", function () {
				sortBy(table, column);
			});
		});
		one("#find").addEventListener("input", filter);
		one("#outcome").addEventListener("change", filter);
		filter();
	}

	/* --- keys --- */

	function help() {
		var dialog = one("#keys");
		if (!dialog.showModal)
			return;
		if (dialog.open)
			dialog.close();
		else
			dialog.showModal();
	}

	function goTo(id, focus) {
		var element = document.getElementById(id), target = element && focus && one(focus, element);
		if (element)
			element.scrollIntoView({block: "start"});
		if (target)
			target.focus({preventScroll: true});
	}

	var keys = {
		"j": function () { choose(current + 1, true); },
		"k": function () { choose(current - 1, true); },
		"g": function () { choose(1, true); },
		"G": function () { choose(steps.length, true); },
		"s": focusLine,
		"m": function () { goTo("memory", "figure.current .scroll"); },
		"l": function () { goTo("suspects", "a"); },
		"t": function () { goTo("tree", ".tree summary"); },
		"e": function () { goTo("experiments", "th button"); },
		"/": function () { goTo("experiments", "#find"); },
		"d": toggleTheme,
		"?": help
	};

	var inChain = {"ArrowDown": keys.j, "ArrowUp": keys.k, "Home": keys.g, "End": keys.G};

	function press(event) {
		var target = event.target, name = target.tagName;
		var act = keys[event.key];
		if (event.ctrlKey || event.metaKey || event.altKey || one("#keys").open)
			return;
		if (name === "INPUT" || name === "SELECT") {
			if (event.key === "Escape")
				target.blur();
			return;
		}
		if (event.key === "Escape" && current)
			act = function () { choose(current, true); };
		if (target.closest(".steps"))
			act = inChain[event.key] || act;
		if (name === "SUMMARY" && target.matches(".cause > details > summary") && walkTree(event, target)) {
			event.preventDefault();
			return;
		}
		if (!act)
			return;
		event.preventDefault();
		act();
	}

	/* On paper nothing is folded. */
	function startPrinting() {
		var opened = [];
		addEventListener("beforeprint", function () {
			opened = all("details:not([open]):not(.as-table)"); /* pictures are there already */
			opened.forEach(function (details) { details.open = true; });
		});
		addEventListener("afterprint", function () {
			opened.forEach(function (details) { details.open = false; });
		});
	}

	root.classList.add("js");
	all(".buttons, .tools").forEach(function (element) {
		element.hidden = false;
	});
	startTheme();
	startTree();
	startExperiments();
	startPrinting();
	document.addEventListener("click", chooseByClick);
	document.addEventListener("click", follow);
	document.addEventListener("keydown", press);
	one("#help").addEventListener("click", help);
	one("#close").addEventListener("click", help);
	addEventListener("scroll", fit, {passive: true});
	addEventListener("resize", fit);
	fit();
	choose(1, false);
	if (location.hash)
		show(location.hash.slice(1));
	addEventListener("hashchange", function () {
		show(location.hash.slice(1));
	});
}());
