import { describe, expect, it } from 'vitest';
import { type Change, namesIn, parseText, testChanges } from '../../helpers/declarations.ts';

const f = (body: string, head = 'fun f(a: Int, b: String): Int') => `${head} {\n${body}\n}\n`;
const of = 'fun f(a, b)';

const silent: Change[] = [
  ['a comment', of, f('return a'), f('// why\nreturn a /* here */'), 'nothing'],
  ['KDoc', of, f('return a'), `/** New. */\n${f('return a')}`, 'nothing'],
  [
    'ktlint: wrapping and trailing commas',
    of,
    f('return g(a, b)'),
    'fun f(\n    a: Int,\n    b: String,\n): Int {\n    return g(\n        a,\n        b,\n    )\n}\n',
    'nothing',
  ],
  ['ktlint: semicolons', of, f('val x = a; return x;'), f('val x = a\nreturn x'), 'nothing'],
  ['ktlint: braces in a text', of, f(`return g("\${a} and \${b}")`), f('return g("$a and $b")'), 'nothing'],
  ['parentheses', of, f('return (a) + (1)'), f('return a + 1'), 'nothing'],
  ['how a number is written', of, f('return g(1_000, 0XFF)'), f('return g(1000, 0xff)'), 'nothing'],
  ['a chain over lines', of, f('return b.trim().length'), f('return b\n    .trim()\n    .length'), 'nothing'],
  [
    'the indentation of a trimmed text',
    of,
    f('return g("""\n  a\n    b\n  """.trimIndent())'),
    f('    return g(\n        """\n        a\n          b\n        """.trimIndent()\n    )'),
    'nothing',
  ],
  ['a trailing comma of an enum', 'enum E', 'enum class E {\n    A,\n    B\n}\n', 'enum class E {\n    A,\n    B,\n}\n', 'nothing'],
  ['an annotation on a line of its own', of, `@A("x") ${f('return a')}`, `@A("x")\n${f('return a')}`, 'nothing'],
  ['public', of, f('return a'), `public ${f('return a')}`, 'nothing'],
];

const changes: Change[] = [
  ['an edit', of, f('return a'), f('return a + 1'), 'body'],
  ['a string for a name', of, f('g("mode")'), f('g(mode)'), 'body'],
  ['text of a raw string', of, f('return g("""\n  a\n""")'), f('return g("""\n    a\n""")'), 'body'],
  ['a value in a text', of, f('return g("$a")'), f('return g("$b")'), 'body'],
  ['a parameter type', of, f('return a'), f('return a', 'fun f(a: Long, b: String): Int'), 'signature'],
  ['a default', of, f('return a'), f('return a', 'fun f(a: Int, b: String = ""): Int'), 'signature'],
  ['suspend', of, f('return a'), `suspend ${f('return a')}`, 'signature'],
  ['an annotation', of, `@A("x") ${f('return a')}`, `@A("y") ${f('return a')}`, 'signature'],
  ['visibility', of, f('return a'), `private ${f('return a')}`, 'visibility'],
  ['a parameter name', of, f('return 1'), f('return 1', 'fun f(c: Int, b: String): Int'), 'gone'],
  ['a getter', 'val A.x', 'class A {\n    val x: Int\n        get() = 1\n}\n', 'class A {\n    val x: Int\n        get() = 2\n}\n', 'body'],
  ['a base class', 'class A', 'class A : B() {\n}\n', 'class A : C() {\n}\n', 'signature'],
  ['a parameter of the class', 'class A', 'class A(val x: Int) {\n}\n', 'class A(val x: Long) {\n}\n', 'signature'],
  ['another name', of, f('return f(a - 1, b)'), f('return g(a - 1, b)', 'fun g(a: Int, b: String): Int'), 'nothing', 'fun g(a, b)'],
  [
    'another name of a method',
    'fun A.f()',
    'class A {\n    fun f() { this.f() }\n}\n',
    'class A {\n    fun g() { this.g() }\n}\n',
    'nothing',
    'fun A.g()',
  ],
  ['another name of a value', 'val A', 'val A = listOf(1, 2)\n', 'val B = listOf(1, 2)\n', 'nothing', 'val B'],
  [
    'a sibling',
    'fun A.f()',
    'class A {\n    fun f() = 1\n    fun g() = 1\n}\n',
    'class A {\n    fun f() = 1\n    fun g() = 2\n}\n',
    'nothing',
  ],
  ['removed', of, f('return a'), 'val x = 1\n', 'gone'],
];

describe('Kotlin', () => {
  describe('formatting is silent', () => testChanges('A.kt', silent));
  describe('a change of meaning is not', () => testChanges('A.kts', changes));

  it('names members to any depth, functions by their parameters, extensions by what they are for', async () => {
    const text = `val (left, right) = halves
fun List<Item>.cheapest(): Item? = null
val String.slug: String
    get() = trim()
data class Plant(
    val name: String,
    days: Int,
) : Base(name) {
    init {
        require(true)
    }
    constructor(a: Int) : this("x", a)
    companion object {
        const val U = "l"
        fun of(v: Int): Plant = Plant(v)
    }
    class Inner {
        fun go(step: Int): Int {
            return 1
        }
    }
}
enum class Season(val code: String) {
    DRY("d"),
    WET("w") {
        override fun x() {}
    };

    fun short(): String = "D"
}
object Pump {
    fun prime(v: Valve) {}
}
interface Valve {
    fun open()
}
typealias L = Map<String, Int>
`;
    expect(namesIn(await parseText('A.kt', text))).toEqual([
      'fun List<Item>.cheapest()',
      'val String.slug',
      'class Plant',
      'val Plant.name',
      'constructor Plant.constructor(a)',
      'val Plant.U',
      'fun Plant.of(v)',
      'class Plant.Inner',
      'fun Plant.Inner.go(step)',
      'enum Season',
      'val Season.code',
      'entry Season.DRY',
      'entry Season.WET',
      'fun Season.WET.x()',
      'fun Season.short()',
      'object Pump',
      'fun Pump.prime(v)',
      'interface Valve',
      'fun Valve.open()',
      'typealias L',
    ]);
  });

  it('tells overloads apart by types where names do not', async () => {
    const parsed = await parseText('A.kt', 'fun f(a: Int) = 1\nfun f(a: String) = 2\nfun f(b: Int) = 3\n');
    expect(parsed.declarations.map(({ qualifiedName, plainName }) => [qualifiedName, plainName])).toEqual([
      ['f(a: Int)', 'f(a)'],
      ['f(a: String)', 'f(a)'],
      ['f(b)', 'f(b)'],
    ]);
  });

  it('says so where the grammar knows a construct not yet', async () => {
    const parsed = await parseText(
      'A.kt',
      'fun near() = 1\n\nfun rank(x: Any): Int = when (x) {\n    is Int if x > 1 -> 1\n    else -> 3\n}\n',
    );
    expect(parsed.parseErrors).toBeGreaterThan(0);
    expect(parsed.declarations.find(({ baseName }) => baseName === 'near')?.damaged).toBe(false);
  });
});
