"""Is a page of `hence --format html` well-formed, closed in itself and inert? Complaints go to standard output.

	check.py PAGE STYLE SCRIPT           complaints; exit code 1 if there are any
	check.py --outline PAGE              what a person reads, a line for each block, but for pictures
"""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "input", "link", "br", "img", "hr"}
# All that a page may be made of: a text of the program that became an element or an attribute would show here.
TAGS = set("""html head meta title style body script a header main section div span nav button p h1 h2 h3 code pre mark del ins
	dl dt dd ol ul li details summary table caption thead tbody tr th td small b var figure figcaption svg g rect path
	circle text tspan dialog kbd label input select option""".split())
ATTRIBUTES = set("""lang charset name content http-equiv class id href type hidden role tabindex scope open value
	autocomplete spellcheck width height viewbox x y rx cx cy r d dx data-step data-steps data-number data-level
	data-outcome data-key data-tree aria-label aria-labelledby aria-hidden aria-haspopup""".split())
BLOCKS = {"h1", "h2", "h3", "p", "li", "tr", "dt", "summary", "pre", "figcaption", "caption", "title", "button"}
SEPARATED = {"td", "th", "dd", "span", "code", "a", "small"}


class Page(HTMLParser):
	def __init__(self, text):
		super().__init__(convert_charrefs=True)
		self.open, self.ids, self.links, self.complaints = [], [], [], []
		self.raw = {"style": [], "script": []}
		self.policy, self.before_policy = None, []
		self.lines, self.line = [], ""
		self.feed(text)
		self.close()
		if self.open:
			self.complain("not closed: " + " ".join(self.open))

	def complain(self, what):
		self.complaints.append("line %d: %s" % (self.getpos()[0], what))

	def handle_starttag(self, tag, attributes):
		if tag not in TAGS and not (tag == "title" and "svg" in self.open):
			self.complain("element " + tag)
		names = [name for name, _ in attributes]
		for name in names:
			if name not in ATTRIBUTES:
				self.complain("attribute %s of %s" % (name, tag))
			if names.count(name) > 1:
				self.complain("attribute %s twice" % name)
		self.see(tag, dict(attributes))
		if tag in BLOCKS and "pre" not in self.open:
			self.end_line()
		if tag not in VOID:
			self.open.append(tag)
			if len(self.open) == 400:
				self.complain("nested so deeply that browsers give up")
			if tag in self.raw:
				self.raw[tag].append("")

	def see(self, tag, attributes):
		if "id" in attributes:
			self.ids.append(attributes["id"])
		if "href" in attributes:
			self.links.append(attributes["href"])
		for name in ("aria-labelledby",):
			if name in attributes:
				self.links.append("#" + attributes[name])
		if attributes.get("http-equiv", "").lower() == "content-security-policy":
			self.policy = attributes["content"]
		elif self.policy is None:
			self.before_policy.append(tag)

	def handle_startendtag(self, tag, attributes):
		self.handle_starttag(tag, attributes)
		if tag not in VOID:
			self.open.pop()

	def handle_endtag(self, tag):
		if not self.open or self.open[-1] != tag:
			self.complain("</%s> inside %s" % (tag, self.open[-1] if self.open else "nothing"))
			return
		if tag in SEPARATED and ("pre" not in self.open or tag == "a"):
			self.line += " "
		if tag in BLOCKS:
			self.end_line()
		self.open.pop()

	def handle_data(self, data):
		if self.open and self.open[-1] in self.raw:
			self.raw[self.open[-1]][-1] += data
		elif "pre" in self.open and data.endswith("\n"): # a line of source ends
			self.line += data
			self.end_line()
		elif not {"svg", "dialog"} & set(self.open):
			self.line += data

	def handle_comment(self, data):
		self.complain("a comment")

	def handle_pi(self, data):
		self.complain("an instruction")

	def end_line(self):
		text = " ".join(self.line.split())
		if text:
			self.lines.append(text)
		self.line = ""


def hash_of(text):
	return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check(page, text, style, script):
	complain = page.complaints.append
	if page.raw["style"] != [style]:
		complain("its style is not page.css")
	if page.raw["script"] != [script]:
		complain("its script is not page.js")
	wanted = ("default-src 'none'; style-src %s; script-src %s; base-uri 'none'; form-action 'none'"
		% (hash_of(style), hash_of(script)))
	if page.policy != wanted:
		complain("policy: %s, and not %s" % (page.policy, wanted))
	if set(page.before_policy) - {"html", "head", "meta"}:
		complain("before the policy: %s" % page.before_policy)
	for name in sorted({i for i in page.ids if page.ids.count(i) > 1}):
		complain("id %s is there %d times" % (name, page.ids.count(name)))
	for link in page.links:
		if not link.startswith("#") or link[1:] not in page.ids:
			complain("link to nowhere, or out of the page: " + link)
	own = style + script
	for what in ("url(", "@import", "http:", "https:", "eval(", "innerHTML", "document.write"):
		if what in own:
			complain("style or script has " + what)
	bad = [hex(ord(c)) for c in set(text)
		if (ord(c) < 32 and c not in "\n\t") or re.match("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]", c)]
	if bad:
		complain("characters that are not seen: %s" % bad)


def main():
	if sys.argv[1] == "--outline":
		text = open(sys.argv[2], encoding="utf-8", newline="").read()
		print("\n".join(Page(text).lines))
		return 0
	text, style, script = (open(name, encoding="utf-8", newline="").read() for name in sys.argv[1:4])
	page = Page(text)
	check(page, text, style, script)
	for complaint in page.complaints[:20]:
		print(complaint)
	return 1 if page.complaints else 0


sys.exit(main())
