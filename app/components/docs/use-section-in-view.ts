'use client';

import { useEffect, useState } from 'react';
import type { NavGroup } from '#app/components/docs/nav-groups.ts';

/** How far below the top of the window a title counts as reached, in pixels: the header and a little more. */
const READING_LINE = 120;

/** The section that is being read: the last one whose title has passed below the header. */
export function useSectionInView(groups: NavGroup[]): string | undefined {
  const [here, setHere] = useState<string>();
  useEffect(() => {
    const titles = groups
      .flatMap(({ items }) => items)
      .map(({ id }) => document.getElementById(id))
      .filter((title) => title !== null);
    let frame = 0;
    const look = () => {
      frame = 0;
      const passed = titles.findLast((title) => title.getBoundingClientRect().top < READING_LINE);
      setHere((passed ?? titles[0])?.id);
    };
    const lookSoon = () => {
      frame ||= requestAnimationFrame(look);
    };
    look();
    window.addEventListener('scroll', lookSoon, { passive: true });
    return () => {
      window.removeEventListener('scroll', lookSoon);
      cancelAnimationFrame(frame);
    };
  }, [groups]);
  return here;
}
