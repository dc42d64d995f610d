import type { ReactNode } from 'react';
import { Badge } from '#app/components/ui/badge.tsx';

/** Separates details of a row, and is never at the start of a line. */
export const DOT = '\u00A0· ';

type Props = { name: string; isCurrent: boolean; details: ReactNode; action: ReactNode };

/** A browser of the teammate in a list, with a badge for the current one. */
export function DeviceRow({ name, isCurrent, details, action }: Props) {
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          {isCurrent ? <Badge>This device</Badge> : null}
        </p>
        <p className="text-ink-soft text-list [overflow-wrap:anywhere]">{details}</p>
      </div>
      {action}
    </li>
  );
}

/** Returns the name of a device as the start of a line. */
export function deviceName(device: string): string {
  return device.charAt(0).toUpperCase() + device.slice(1);
}
