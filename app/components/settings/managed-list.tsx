import type { ReactNode } from 'react';
import { ManagersNote } from '#app/components/settings/managers-note.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { FocusWhenLost } from '#app/components/ui/focus-when-lost.tsx';
import { pluralize } from '#app/lib/pluralize.ts';

type Props = {
  id: string;
  /** One of what is listed, for example "team". */
  one: string;
  count: number;
  max: number;
  mayManage: boolean;
  /** What owners and admins do here, said to those who cannot. */
  managers: { workspaceName: string; role: string; what: string };
  /** The button that adds one; shown while there is room. */
  add: ReactNode;
  /** What is shown while there are none, with the way to begin. */
  empty: (add: ReactNode) => ReactNode;
  /** Changes whenever an element that held the focus may have gone. */
  focusOn: string | number;
  /** The list itself. */
  children: ReactNode;
};

/** A list that owners and admins keep and others read: how many there are, the way to add, and how many there can be. */
export function ManagedList(props: Props) {
  const { id, one, count, max, mayManage, managers, empty, focusOn, children } = props;
  const add = mayManage && count < max ? props.add : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {mayManage ? null : <ManagersNote {...managers} />}
      <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id={id} tabIndex={-1} className="text-base">
            {count === 0 ? `No ${one}s yet` : pluralize(count, one)}
          </h2>
          {count > 0 ? add : null}
        </div>
        <Card>{count === 0 ? empty(add) : children}</Card>
        {mayManage && count >= max ? (
          <p className="text-ink-soft text-list">
            A workspace can have up to {max} {one}s.
          </p>
        ) : null}
        <FocusWhenLost on={focusOn} goTo={id} />
      </section>
    </div>
  );
}
