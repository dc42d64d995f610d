import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// Contrast as in WCAG 2.2 (1.4.3 and 1.4.11), in light and dark mode. Browser tests check it only where colours meet in a
// way that classes do not show.

const MODES = ['light', 'dark'] as const;
const COLORS = colorsOf(readFileSync('app/globals.css', 'utf8'));

/** Backgrounds that contain other elements, so any text may be on them. */
const GROUNDS = ['canvas', 'surface', 'hover', 'accent-soft', 'danger-soft', 'note'];
const TEXTS = ['ink', 'ink-soft', 'ink-faint', 'accent-ink', 'danger-ink', 'note-ink', 'good-ink'];
/** Backgrounds of buttons and badges. */
const FILLS = ['accent', 'accent-strong', 'danger', 'danger-strong'];
/** Icons, dots and borders of controls. */
const MARKS = ['good', 'waiting', 'done', 'quiet', 'line-control'];

for (const [index, mode] of MODES.entries()) {
  test(`in ${mode} mode, text has a contrast of at least 4.5 on every background`, () => {
    const pairs = [...pair(TEXTS, GROUNDS), ...pair(['on-accent'], FILLS), ['ink', 'note-line'] as const];
    expect(pairs.filter(([text, ground]) => contrastOf(text, ground, index) < 4.5)).toEqual([]);
  });

  test(`in ${mode} mode, icons, dots, borders of controls and the focus ring have a contrast of at least 3`, () => {
    const pairs = pair([...MARKS, 'accent-ink'], ['canvas', 'surface']);
    expect(pairs.filter(([text, ground]) => contrastOf(text, ground, index) < 3)).toEqual([]);
  });

  test(`in ${mode} mode, initials have a contrast of at least 4.5 on the colour of their avatar`, () => {
    const tints = [...readFileSync('app/conversation-rows.css', 'utf8').matchAll(/\.tint-\d \{([^}]*)\}/g)];
    expect(tints).toHaveLength(8);
    const low = tints.filter(([, rule = '']) => {
      const [ground, text] = [...rule.matchAll(/(?:background|color): ([^;]+);/g)].map(
        ([, value]) => modesOf(value)[index],
      );
      return contrast(ground, text) < 4.5;
    });
    expect(low).toEqual([]);
  });

  test(`in ${mode} mode, text has a contrast of at least 4.5 on the background of its own class list`, () => {
    const pairs = classLists().flatMap((list) =>
      pair(namesIn(list, 'text'), namesIn(list, 'bg')).filter(([text]) => !MARKS.includes(text)),
    );
    expect(pairs.length).toBeGreaterThan(20);
    expect(pairs.filter(([text, ground]) => contrastOf(text, ground, index) < 4.5)).toEqual([]);
  });
}

test('screens use only colours of text whose contrast is checked, without transparency', () => {
  const used = new Set(classLists().flatMap((list) => namesIn(list, 'text')));
  const known = [...TEXTS, 'on-accent', ...MARKS];
  expect([...used].filter((name) => !known.includes(name))).toEqual([]);
});

test('the contrast of black on white is 21, and of a colour on itself 1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
  expect(contrast('#bf2727', '#bf2727')).toBe(1);
});

/** Returns the values of each custom property that is an opaque colour, in light and dark mode. */
function colorsOf(css: string): Map<string, string[]> {
  const properties = css.matchAll(/^ {2}--([\w-]+): ((?:light-dark\()?#.+);$/gm);
  return new Map([...properties].map(([, name = '', value = '']) => [name, modesOf(value)]));
}

function modesOf(value = ''): string[] {
  const [light = '', dark = light] = value.match(/#[0-9a-f]{6}\b/g) ?? [];
  return [light, dark];
}

/** Returns the class lists of all screens and style sheets: literals and `@apply` rules that name a colour. */
function classLists(): string[] {
  return globSync('app/**/*.{ts,tsx,css}')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(file, 'utf8').match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`|@apply [^;]+/g) ?? [])
    .filter((list) => /\btext-|\bplaceholder:text-/.test(list));
}

/** Returns the colours of a utility in a class list, such as `ink` for `hover:text-ink`; with its opacity, if any. */
function namesIn(list: string, utility: string): string[] {
  const names = [...list.matchAll(new RegExp(`(?<![\\w-])${utility}-([a-z-]+(?:/\\d+)?)`, 'g'))];
  return names.flatMap(([, name = '']) => (COLORS.has(name.replace(/\/\d+$/, '')) ? [name] : []));
}

function pair(texts: string[], grounds: string[]): (readonly [string, string])[] {
  return texts.flatMap((text) => grounds.map((ground) => [text, ground] as const));
}

function contrastOf(text: string, ground: string, mode: number): number {
  return contrast(COLORS.get(text)?.[mode], COLORS.get(ground)?.[mode]);
}

/** Returns the contrast ratio of two colours such as `#bf2727`. */
function contrast(one = '', other = ''): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
