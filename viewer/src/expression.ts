// Expressions in number fields: "30", "pi/4", "90deg", "-(1.2 + 0.3) * 2".

import { digits, type Unit } from "./units";

/** A position in rad or m, or why the text is none. */
export type Parsed = { readonly position: number } | { readonly problem: string };

/** A number; ``measured``: in rad or m, because it has a unit. */
interface Quantity {
  readonly value: number;
  readonly measured: boolean;
  /** Whether it has the constant π: without a unit it is in radians. */
  readonly pi: boolean;
}

const ANGLES: ReadonlyMap<string, number> = new Map(Object.entries({
  deg: Math.PI / 180, degree: Math.PI / 180, degrees: Math.PI / 180, "°": Math.PI / 180,
  rad: 1, radian: 1, radians: 1, turn: 2 * Math.PI, turns: 2 * Math.PI,
}));
const LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries({ m: 1, cm: 0.01, mm: 0.001, in: 0.0254 }));
const FUNCTIONS: ReadonlyMap<string, (value: number) => number> = new Map(Object.entries({
  sqrt: Math.sqrt, abs: Math.abs, sin: Math.sin, cos: Math.cos, tan: Math.tan,
  asin: Math.asin, acos: Math.acos, atan: Math.atan,
}));
const TOKEN = /\s*(?:(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-zπ]+|°)|(\*\*|[-+*/^()]))/iy;
const LONGEST = 200;

class Problem extends Error {}

/** Parse a number field: numbers without a unit are in the displayed unit, those with π in radians. */
export function parsePosition(text: string, unit: Unit): Parsed {
  // Minus signs (U+2212), as the page displays them, and typographic multiplication and division signs.
  const plain = text.trim().replaceAll("−", "-").replaceAll("×", "*").replaceAll("·", "*").replaceAll("÷", "/");
  try {
    if (plain === "") {
      throw new Problem("enter a number");
    }
    if (plain.includes(",")) {
      const dotted = /^[-+]?\d+,\d+$/.test(plain) ? `: ${plain.replace(",", ".")}` : "";
      throw new Problem(`use a decimal point, not a comma${dotted}`);
    }
    const { value, measured, pi } = read(tokens(plain), unit);
    const position = measured || (pi && unit.turns) ? value : value * unit.size;
    if (!Number.isFinite(position)) {
      throw new Problem("the result is not a finite number");
    }
    return { position };
  } catch (error) {
    if (error instanceof Problem) {
      return { problem: error.message };
    }
    throw error;
  }
}

/** A unit behind a product is that of the whole product: "pi/4 rad". */
function read(words: readonly string[], unit: Unit): Quantity {
  const own = unit.turns ? ANGLES : LENGTHS;
  const size = (word: string | undefined): number | undefined => (word === undefined ? undefined : own.get(word.toLowerCase()));
  const body = words.slice(0, -1);
  const last = size(words.at(-1));
  const isSum = body.some((word, index) => index > 0 && /^[+-]$/.test(word));
  if (last === undefined || isSum || body.some((word) => size(word) !== undefined)) {
    return new Reader(words, unit).all();
  }
  const { value, measured } = new Reader(body, unit).all();
  if (measured) {
    throw new Problem("two units");
  }
  return { value: value * last, measured: true, pi: false };
}

function tokens(text: string): string[] {
  if (text.length > LONGEST) {
    throw new Problem("the text is too long");
  }
  const out: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) {
      throw new Problem(`“${text.slice(at).trim()}” is not a number`);
    }
    out.push(found[1] ?? found[2] ?? found[3]!);
  }
  return out;
}

class Reader {
  #at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly unit: Unit,
  ) {}

  all(): Quantity {
    const out = this.#sum();
    if (this.#at < this.tokens.length) {
      throw new Problem(`unexpected “${this.tokens[this.#at]}”`);
    }
    return out;
  }

  #take(...words: string[]): string | null {
    const next = this.tokens[this.#at];
    if (next === undefined || !words.includes(next)) {
      return null;
    }
    this.#at += 1;
    return next;
  }

  #sum(): Quantity {
    let out = this.#product();
    for (let sign = this.#take("+", "-"); sign; sign = this.#take("+", "-")) {
      const next = this.#product();
      const [a, b] = this.#alike(out, next);
      out = { value: sign === "+" ? a.value + b.value : a.value - b.value, measured: a.measured, pi: a.pi || b.pi };
    }
    return out;
  }

  /** Two terms of a sum: both with a unit, or both without; π is in radians. */
  #alike(a: Quantity, b: Quantity): [Quantity, Quantity] {
    const known = (term: Quantity): Quantity =>
      term.pi && this.unit.turns ? { ...term, measured: true } : term;
    if (a.measured === b.measured && a.pi === b.pi) {
      return [a, b];
    }
    const [first, second] = [known(a), known(b)];
    if (first.measured !== second.measured) {
      throw new Problem("give every term of the sum a unit, or none");
    }
    return [first, second];
  }

  #product(): Quantity {
    let out = this.#signed();
    for (let sign = this.#take("*", "/"); sign; sign = this.#take("*", "/")) {
      const next = this.#signed();
      if (next.measured && (sign === "*" ? out.measured : !out.measured)) {
        throw new Problem(sign === "*" ? "two factors have a unit" : "the divisor has a unit");
      }
      const value = sign === "*" ? out.value * next.value : out.value / next.value;
      out = { value, measured: sign === "*" ? out.measured || next.measured : out.measured && !next.measured, pi: out.pi || next.pi };
    }
    return out;
  }

  #signed(): Quantity {
    const sign = this.#take("+", "-");
    if (!sign) {
      return this.#power();
    }
    const out = this.#signed();
    return sign === "-" ? { ...out, value: -out.value } : out;
  }

  #power(): Quantity {
    const base = this.#measured();
    if (!this.#take("^", "**")) {
      return base;
    }
    const exponent = this.#signed();
    if (base.measured || exponent.measured) {
      throw new Problem("powers have no unit");
    }
    return { value: base.value ** exponent.value, measured: false, pi: base.pi || exponent.pi };
  }

  /** A number, a constant or parentheses, with the unit behind it. */
  #measured(): Quantity {
    const out = this.#atom();
    const word = this.tokens[this.#at]?.toLowerCase();
    if (word === undefined || !/^[a-zπ°]/.test(word)) {
      return out;
    }
    this.#at += 1;
    if (word === "pi" || word === "π") {
      return { ...out, value: out.value * Math.PI, pi: true };
    }
    const [own, other] = this.unit.turns ? [ANGLES, LENGTHS] : [LENGTHS, ANGLES];
    const size = own.get(word);
    if (size === undefined) {
      const what = this.unit.turns ? "an angle: use deg or rad" : "a length: use m, cm or mm";
      throw new Problem(!other.has(word) ? `unknown unit “${word}”` : `“${word}” is not the unit of ${what}`);
    }
    if (out.measured) {
      throw new Problem("two units");
    }
    return { value: out.value * size, measured: true, pi: false };
  }

  #atom(): Quantity {
    const token = this.tokens[this.#at];
    if (token === undefined) {
      throw new Problem("the expression is incomplete");
    }
    this.#at += 1;
    const word = token.toLowerCase();
    if (word === "pi" || word === "π") {
      return { value: Math.PI, measured: false, pi: true };
    }
    if (word === "(") {
      const out = this.#sum();
      this.#close();
      return out;
    }
    const compute = FUNCTIONS.get(word);
    if (compute && this.#take("(")) {
      const { value, measured } = this.#sum();
      this.#close();
      return this.#called(word, compute, value, measured);
    }
    if (/^[\d.]/.test(token)) {
      return { value: Number(token), measured: false, pi: false };
    }
    throw new Problem(/^[a-z°]/i.test(token) ? `unknown name “${token}”` : `unexpected “${token}”`);
  }

  /** The value of a function: angles of sin, cos and tan are in radians, results of asin, acos and atan, too. */
  #called(word: string, compute: (value: number) => number, value: number, measured: boolean): Quantity {
    const inverse = word.startsWith("a") && word !== "abs";
    if (measured && word !== "abs" && !["sin", "cos", "tan"].includes(word)) {
      throw new Problem(`${word} takes a number without a unit`);
    }
    const out = compute(value);
    return { value: out, measured: word === "abs" ? measured : inverse && this.unit.turns, pi: false };
  }

  #close(): void {
    if (!this.#take(")")) {
      throw new Problem("“)” is missing");
    }
  }
}

/** A position with its unit, for messages. */
export function spoken(unit: Unit, position: number): string {
  return `${digits(position / unit.size, 6)}${unit.name === "°" ? "°" : ` ${unit.name}`}`;
}
