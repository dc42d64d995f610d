'use client';

import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { whenIdle } from '#app/components/ui/when-idle.ts';

type Load = () => Promise<unknown>;

/** Mark in the browser's timeline. */
const PARTS_LOADED = 'parts loaded';

const waiting: Load[] = [];
let wasIdle = false;
let isLoading = false;

/** Shown in a panel until its content is loaded. */
export const loading = () => <p className="text-ink-soft text-list">Loading…</p>;

type Part<Props> = {
  /** Undefined until it was loaded. */
  loaded?: ComponentType<Props>;
  lazy: ComponentType<Props>;
  fallback: (props: Props) => ReactNode;
};

/**
 * Returns a component that is not part of the page's first scripts. It is loaded once the page is idle, or at its first
 * render if that is earlier. In that case `fallback` shows until it is loaded, and for at least 300 ms, because React
 * delays content that replaces a fallback.
 * @param when `used`: a large part, which is loaded only when it is rendered or `load` is called
 */
export function lazyPart<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  fallback: Part<Props>['fallback'] = () => null,
  when: 'idle' | 'used' = 'idle',
): ((props: Props) => ReactNode) & { load: Load } {
  const loadPart = async () => {
    const loaded = await load();
    part.loaded = loaded.default;
    return loaded;
  };
  const part: Part<Props> = { lazy: lazy(loadPart) as unknown as ComponentType<Props>, fallback };
  if (when === 'idle') loadOnceIdle(loadPart);
  return Object.assign((props: Props) => <ShownPart part={part} props={props} />, { load: loadPart });
}

/**
 * Returns a function that returns the components of a module as lazy parts. Parts that are loaded together are one request.
 */
export function lazyParts<Module>(load: () => Promise<Module>) {
  return <Name extends keyof Module>(name: Name, fallback?: () => ReactNode) => {
    type Props = Module[Name] extends (props: infer Given extends object) => ReactNode ? Given : never;
    const component = async () => ({ default: (await load())[name] as ComponentType<Props> });
    return lazyPart<Props>(component, fallback);
  };
}

function ShownPart<Props extends object>({ part, props }: { part: Part<Props>; props: Props }) {
  // The same one at each render: React would reset the state of another type.
  const [Shown] = useState(() => part.loaded ?? part.lazy);
  return (
    <Suspense fallback={part.fallback(props)}>
      <Shown {...props} />
    </Suspense>
  );
}

/** Loads a module in the background once the page is idle. A failed load is left to its first use. */
function loadOnceIdle(load: Load): void {
  if (typeof window === 'undefined') return;
  waiting.push(load);
  if (wasIdle) whenIdle(() => void loadWaiting());
}

/** Loads the waiting modules once the page is idle. Renders nothing. */
export function LoadOnceIdle() {
  useEffect(
    () =>
      whenIdle(() => {
        wasIdle = true;
        void loadWaiting();
      }),
    [],
  );
  return null;
}

/** Loads one module after the other, so that a click in between does not wait for all of them. */
async function loadWaiting(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  for (let load = waiting.shift(); load; load = waiting.shift()) await load().catch(() => undefined);
  isLoading = false;
  performance.mark(PARTS_LOADED);
}
