import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

/** Scope of an axe run, by default all rules and the whole document. */
export type AxeScope = {
  /** Run only these rules. */
  only?: string[];
  /** Run all rules except these. */
  without?: string[];
  /** Inspect only the elements that `findChanged` found. */
  onlyChanged?: boolean;
};

/** Rules that depend only on colours. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The rule about the title of the document. Next.js replaces the title while a page streams in, so it can be missing for a moment. */
export const TITLE_RULE = 'document-title';

/** The minified file: the browser parses it for each document. */
const SOURCE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Injects axe once into a document and each of its same-origin frames, because parsing it takes as long as running
 * it.
 */
export async function injectAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(SOURCE);
  }
}

/** Runs in the browser. Returns the violations in the page and its frames, and the horizontal overflow in pixels. */
export async function runAxe(scope: AxeScope): Promise<{ found: string[]; overflow: number }> {
  const { axe, changed } = window as unknown as { axe: typeof import('axe-core'); changed?: Element[] };
  const { only, without, onlyChanged } = scope;
  const options: RunOptions = {
    // Describe violations only: describing every passing element would take most of the time.
    resultTypes: ['violations'],
    // Preload media for the rule about autoplay, but not style sheets, which no enabled rule reads.
    preload: { assets: ['media'] },
    ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
    ...(without ? { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) } : {}),
  };
  const { violations } = await axe.run(onlyChanged ? { include: changed ?? [] } : document, options);
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    overflow: scrollWidth - clientWidth,
  };
}

/**
 * Runs in the browser. Finds the elements with text whose appearance (colour, size and everything behind the element)
 * differs from the last call, or that were hidden then. Stores them for `runAxe` and returns their number. The first
 * call finds all elements. Frames always count, because each is a separate document.
 */
export function findChanged(): number {
  const store = window as unknown as { changed?: Element[]; appearances?: Map<Element, string> };
  const before = store.appearances ?? new Map<Element, string>();
  const appearances = new Map<Element, string>();
  const backgrounds = new Map<Element | null, string>([[null, '']]);
  for (const element of document.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity } = style;
    const base = backgrounds.get(element.parentElement) ?? '';
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1';
    const background = isClear ? base : `${base}|${backgroundColor} ${backgroundImage} ${opacity}`;
    backgrounds.set(element, background);
    if (element instanceof HTMLIFrameElement) appearances.set(element, '');
    else if (hasText(element) && isVisible(element)) {
      const { color, fontSize, fontWeight } = style;
      appearances.set(element, `${color} ${fontSize} ${fontWeight}${background}`);
    }
  }
  store.appearances = appearances;
  store.changed = [...appearances]
    .filter(([element, appearance]) => !appearance || before.get(element) !== appearance)
    .map(([element]) => element);
  return store.changed.length;

  function hasText(element: Element): boolean {
    const hasTextNode = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim(),
    );
    return hasTextNode || element.matches('input, select, textarea');
  }

  /** Excludes visually hidden text for screen readers, which is one pixel in size. */
  function isVisible(element: Element): boolean {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    return width > 1 && height > 1 && right > 0 && bottom + scrollY > 0;
  }
}
