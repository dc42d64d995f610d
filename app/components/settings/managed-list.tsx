import { LockKeyhole } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '#app/components/ui/card.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { pluralize } from '#app/lib/format-count.ts';
import { roleName } from '#app/lib/role-name.ts';

type Props = {
  id: string;
  /** Singular noun for an entry, for example "team". */
  one: string;
  count: number;
  max: number;
  mayManage: boolean;
  /** Actions of owners and admins on this list, shown to other roles. */
  managers: { workspaceName: string; role: string; what: string };
  /** Button that adds an entry. Hidden when the list is full. */
  add: ReactNode;
  /** Empty state, with the add button. */
  empty: (add: ReactNode) => ReactNode;
  /** Changes whenever the focused element may have been removed. */
  focusOn: string | number;
  children: ReactNode;
};

/** List that owners and admins edit and others read, with its count, limit and add button. */
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

type ManagersNoteProps = { workspaceName: string; role: string; what: string; more?: string };

/**
 * Explains why this teammate cannot change the settings. `what`: for example "change the flows". `more`: another
 * sentence.
 */
export function ManagersNote({ workspaceName, role, what, more }: ManagersNoteProps) {
  return (
    <p className="flex max-w-[75ch] gap-2 text-ink-soft">
      <LockKeyhole aria-hidden size={16} className="mt-0.5 shrink-0" />
      <span>
        Owners and admins {what}. Your role in {workspaceName} is {roleName(role).toLowerCase()}, so ask one
        of them for changes.{more ? ` ${more}` : null}
      </span>
    </p>
  );
}
