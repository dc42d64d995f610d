import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

/** What is asked of axe: all rules of the whole document, unless it says otherwise. */
export type Question = {
  /** These rules alone. */
  only?: string[];
  /** All rules but these. */
  without?: string[];
  /** Of those elements alone that `findOthers` found. */
  ofOthers?: boolean;
};

/** The rules that depend on the colours alone. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The smaller file: a browser reads it in for each document. */
const SOURCE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A document and each of its frames, which are all of this site, gets axe once: to read it in takes as long as to run it. */
export async function bringAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(SOURCE);
  }
}

/** In the browser: what axe finds wrong in the page and its frames, and by how many pixels the page is too wide. */
export async function examine(question: Question): Promise<{ found: string[]; overflow: number }> {
  const { axe, others } = window as unknown as { axe: typeof import('axe-core'); others?: Element[] };
  const { only, without, ofOthers } = question;
  const options: RunOptions = {
    // Only what it finds wrong is described: to name every element that is right takes most of the time.
    resultTypes: ['violations'],
    // Sounds, for the rule about those that play unasked. It would fetch the style sheets too, which no rule of these reads.
    preload: { assets: ['media'] },
    ...(only ? { runOnly: { type: 'rule', values: only } } : {}),
    ...(without ? { rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])) } : {}),
  };
  const { violations } = await axe.run(ofOthers ? { include: others ?? [] } : document, options);
  const { scrollWidth, clientWidth } = document.documentElement;
  return {
    found: violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`),
    overflow: scrollWidth - clientWidth,
  };
}

/**
 * In the browser: finds the elements with words that look other than at the last call, or could not be seen then, by their
 * own colour and size and by all that is behind them. Keeps them for `examine` and returns how many they are. Of the
 * first call of a document that is all of them. Frames are always among them: each is a document of its own.
 */
export function findOthers(): number {
  const kept = window as unknown as { others?: Element[]; looks?: Map<Element, string> };
  const before = kept.looks ?? new Map<Element, string>();
  const looks = new Map<Element, string>();
  const behind = new Map<Element | null, string>([[null, '']]);
  for (const element of document.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    const { backgroundColor, backgroundImage, opacity } = style;
    const base = behind.get(element.parentElement) ?? '';
    const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1';
    const ground = isClear ? base : `${base}|${backgroundColor} ${backgroundImage} ${opacity}`;
    behind.set(element, ground);
    if (element instanceof HTMLIFrameElement) looks.set(element, '');
    else if (hasWords(element) && isInSight(element)) {
      const { color, fontSize, fontWeight } = style;
      looks.set(element, `${color} ${fontSize} ${fontWeight}${ground}`);
    }
  }
  kept.looks = looks;
  kept.others = [...looks]
    .filter(([element, look]) => !look || before.get(element) !== look)
    .map(([element]) => element);
  return kept.others.length;

  function hasWords(element: Element): boolean {
    const own = [...element.childNodes].some(
      ({ nodeType, nodeValue }) => nodeType === Node.TEXT_NODE && nodeValue?.trim(),
    );
    return own || element.matches('input, select, textarea');
  }

  /** Not a pixel either, which is what people who listen have. */
  function isInSight(element: Element): boolean {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { width, height, right, bottom } = element.getBoundingClientRect();
    return width > 1 && height > 1 && right > 0 && bottom + scrollY > 0;
  }
}
