import type { ReactNode } from 'react';

type Props = { name: string; state: ReactNode; actions?: ReactNode; children?: ReactNode };

/** Shows one part of the setup of a domain, such as receiving: name, state, actions and details. */
export function DomainPart({ name, state, actions, children }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-2 text-list sm:grid-cols-[6rem_minmax(0,1fr)]">
      <h4 className="font-normal text-ink-soft sm:pt-0.5">{name}</h4>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 grow basis-60 text-pretty sm:pt-0.5 [overflow-wrap:anywhere]">{state}</div>
          {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
        </div>
        {children}
      </div>
    </div>
  );
}
