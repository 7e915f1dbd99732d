"""Random programs with a planted change, for `hence fix`.

make(seed) is a program as a list of lines, and a list of (kind, line number, the line with the change). Programs have
several functions over ints, arrays, a structure and loops, end, and have no undefined behaviour: arithmetic is
unsigned or small, indices are taken modulo the size of the array, divisors are not 0.
"""

import random
import re


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.changes = []  # (kind, line number from 1 on, the changed line)
        self.depth = 0
        self.functions = []  # (name, number of arguments)
        self.loops = 0

    # --- expressions ---

    def atom(self, names):
        if self.r.random() < 0.3:
            return str(self.r.randint(1, 9))
        return self.r.choice(names)

    def expression(self, names, depth=2):
        if depth == 0 or self.r.random() < 0.25:
            return self.atom(names)
        # An expression of constants is computed by the compiler.
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        if not re.search("[a-z]", left):
            left = self.r.choice(names)
        kind = self.r.random()
        if kind < 0.65:
            return f"({left} {self.r.choice('+-')} {right})"
        if kind < 0.8:
            return f"({left} * {self.r.randint(2, 5)})"
        if kind < 0.9:
            return f"({left} {self.r.choice('/%')} {self.r.randint(2, 9)})"
        return f"({left} {self.r.choice('&|^')} {right})"

    def condition(self, names):
        sign = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        one = f"{self.r.choice(names)} {sign} {self.expression(names, 1)}"
        if self.r.random() < 0.25:
            return f"{one} {self.r.choice(['&&', '||'])} {self.r.choice(names)} % {self.r.randint(2, 4)} == {self.r.randint(0, 1)}"
        return one

    # --- lines ---

    def put(self, text, names=()):
        """A line, and what might be planted in it."""
        indented = "\t" * self.depth + text
        self.lines.append(indented)
        number = len(self.lines)
        for kind, changed in self.plants(text, names):
            if changed is None:
                self.changes.append((kind, number, "\t" * self.depth + ";"))
            elif changed != text:
                self.changes.append((kind, number, "\t" * self.depth + changed))

    def plants(self, text, names):
        def replaced(match, new):
            return text[:match.start()] + new + text[match.end():]

        if not names:
            return
        assigned = re.match(r"(\w+(?:\[.*?\]|\.\w+)?) ([-+^]?=) (.*);$", text)
        body = assigned.start(3) if assigned else 0
        head = re.match(r"(if|while|for) \(", text)
        for m in re.finditer(r" (<=|>=|==|!=|<|>|[-+*&|^]|&&|\|\|) ", text):
            if m.start() < body - 1:
                continue
            sign = m[1]
            others = (["<", "<=", ">", ">=", "==", "!="] if sign in ("<", "<=", ">", ">=", "==", "!=") else
                      ["&&", "||"] if sign in ("&&", "||") else ["&", "|", "^"] if sign in "&|^" else ["+", "-", "*"])
            yield "operator", replaced(m, f" {self.r.choice([o for o in others if o != sign])} ")
        for m in re.finditer(r"\b[1-9]\b", text[body:]):
            if not text.startswith("for"):
                new = int(m[0]) + self.r.choice([-1, 1])
                if new > 0:
                    yield "constant", text[:body + m.start()] + str(new) + text[body + m.end():]
        for m in re.finditer(r"\b[a-z]\w*\b", text[body:]):
            after = text[body + m.end():body + m.end() + 1]
            if m[0] in names and after not in ("(", "[", "."):
                other = self.r.choice(names)
                if other != m[0] and "[" not in other and "." not in other:
                    yield "variable", text[:body + m.start()] + other + text[body + m.end():]
        for m in re.finditer(r"\bs\.(low|high)\b", text):
            yield "member", replaced(m, "s.low" if m[1] == "high" else "s.high")
        # x is made x + y, not 3 + y
        for m in re.finditer(r"\(([a-z]\d?) ([-+*]) ([a-z]\d?)\)", text[body:]):
            keep = m[1] if m[2] == "-" else m[self.r.choice([1, 3])]
            yield "dropped", text[:body + m.start()] + keep + text[body + m.end():]
        for m in re.finditer(r" ([a-z])(;|\))", text[body:]):
            new = f" ({m[1]} {self.r.choice('+-')} {self.r.randint(1, 9)}){m[2]}"
            yield "added", text[:body + m.start()] + new + text[body + m.end():]
        # What may be put in again is simple.
        if re.match(r"[a-z] = ([a-z]|[01]);$|[a-z](\+\+|--);$", text):
            yield "deleted", None
        if assigned and assigned[2] == "=":
            yield "twice", f"{text} {assigned[1]} = {self.r.choice([n for n in names if '[' not in n])};"
        if head and head[1] == "if" and "&&" not in text and "||" not in text:
            inner = text[len("if ("):text.rindex(")")]
            yield "negated", f"if (!({inner})){text[text.rindex(')') + 1:]}"

    # --- statements ---

    def statement(self, names, settable, nesting):
        kind = self.r.random()
        simple = [n for n in settable if "." not in n]
        if kind < 0.15:
            value = self.r.choice(["++", "--", " = 0", " = 1", f" = {self.r.choice(simple)}"])
            self.put(f"{self.r.choice(simple)}{value};", names)
        elif kind < 0.45 or nesting == 0:
            target = self.r.choice(settable)
            sign = self.r.choice(["=", "=", "+=", "-=", "^="])
            self.put(f"{target} {sign} {self.expression(names)};", names)
        elif kind < 0.6:
            index = self.r.choice(names)
            self.put(f"table[{index} % 8] {self.r.choice(['=', '+='])} {self.expression(names)};", names)
        elif kind < 0.8:
            self.put(f"if ({self.condition(names)}) {{", names)
            self.block(names, settable, nesting - 1, self.r.randint(1, 2))
            if self.r.random() < 0.4:
                self.lines.append("\t" * self.depth + "} else {")
                self.block(names, settable, nesting - 1, 1)
            self.lines.append("\t" * self.depth + "}")
        elif kind < 0.92 and self.loops < 3:
            self.loops += 1
            name = f"i{self.loops}"
            self.put(f"for (unsigned {name} = 0; {name} < {self.r.randint(2, 6)}; {name}++) {{", names)
            self.block(names + [name, f"table[{name} % 8]"], settable, nesting - 1, self.r.randint(1, 3))
            self.lines.append("\t" * self.depth + "}")
            self.loops -= 1
        elif self.functions:
            self.put(f"{self.r.choice(settable)} += {self.call(names)};", names)
        else:
            self.put(f"{self.r.choice(settable)} ^= {self.expression(names)};", names)

    def call(self, names):
        name, count = self.r.choice(self.functions)
        return f"{name}({', '.join(self.expression(names, 1) for _ in range(count))})"

    def block(self, names, settable, nesting, count):
        self.depth += 1
        for _ in range(count):
            self.statement(names, settable, nesting)
        self.depth -= 1

    def function(self, name, count):
        arguments = ["abc"[i] for i in range(count)]
        self.lines += [f"static unsigned {name}({', '.join('unsigned ' + a for a in arguments)})", "{"]
        self.depth = 1
        self.put(f"unsigned x = {self.expression(arguments, 1)}, y = {self.r.randint(0, 5)};", arguments)
        self.lines.append("")
        names = arguments + ["x", "y"]
        for _ in range(self.r.randint(2, 3)):
            self.statement(names, ["x", "y"], 2)
        self.put(f"return {self.expression(names, 1)};", names)
        self.depth = 0
        self.lines += ["}", ""]
        self.functions.append((name, count))

    def program(self):
        self.lines += ["#include <stdio.h>", "#include <stdlib.h>", "", "struct pair {", "\tunsigned low, high;", "};", "",
                       "static unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};", ""]
        for i in range(self.r.randint(1, 2)):
            self.function(f"f{i + 1}", self.r.randint(1, 3))
        self.lines += ["int main(int argc, char **argv)", "{",
                       "\tunsigned p = argc > 1 ? (unsigned)atoi(argv[1]) : 0, q = argc > 2 ? (unsigned)atoi(argv[2]) : 0;",
                       "\tstruct pair s = {p % 7, q % 5};", ""]
        names, settable = ["p", "q", "s.low", "s.high"], ["p", "q", "s.low", "s.high"]
        self.depth = 1
        for _ in range(self.r.randint(2, 3)):
            self.statement(names, settable, 2)
            self.lines.append(f'\tprintf("%u %u\\n", {self.r.choice(settable)}, {self.r.choice(settable)});')
        self.put(f"s.high += {self.call(names)};", names)
        self.lines += ['\tprintf("%u %u %u %u\\n", p, q, s.low, s.high);', "\tfor (int i = 0; i < 8; i++)",
                       '\t\tprintf("%u ", table[i]);', '\tprintf("\\n");', "\treturn 0;", "}"]


def make(seed):
    m = Maker(seed)
    m.program()
    m.r.shuffle(m.changes)
    return m.lines, m.changes
