import { NIL } from 'uuid';
import type { Teammate } from '#server/contract/record-schemas.ts';
import type { Prisma } from '#server/generated/prisma/client.ts';

/** What a query of a command run must select for `operatorOf`. */
export const operatorSelect = {
  operator: { select: { id: true, name: true, email: true, deletedAt: true } },
  operatorName: true,
  operatorEmail: true,
} satisfies Prisma.CommandRunSelect;

type SelectedOperator = Prisma.CommandRunGetPayload<{ select: typeof operatorSelect }>;

/**
 * The teammate who ran a command, as of now. One who was deleted since is shown with the name and address that the run
 * kept, under the nil UUID: the contract wants an id, and this one belongs to no one (RFC 9562 §5.9).
 */
export function operatorOf({ operator, operatorName, operatorEmail }: SelectedOperator): Teammate {
  if (operator && !operator.deletedAt) return { id: operator.id, name: operator.name, email: operator.email };
  return { id: NIL, name: operatorName, email: operatorEmail };
}
