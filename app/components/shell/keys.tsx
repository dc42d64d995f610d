import { Fragment } from 'react';
import { keyName } from '#app/components/shell/shortcut-list.ts';

/** The keys of a shortcut: alternatives, or a sequence. */
export function Keys({ keys }: { keys: string[] }) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 ? <span className="text-ink-faint text-xs">or</span> : null}
      {key.split(' ').map((one, place) => (
        <Fragment key={one}>
          {place > 0 ? <span className="text-ink-faint text-xs">then</span> : null}
          <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-md border border-line-control bg-canvas px-1.5 font-medium font-sans text-ink text-xs">
            {keyName(one)}
          </kbd>
        </Fragment>
      ))}
    </Fragment>
  ));
}
