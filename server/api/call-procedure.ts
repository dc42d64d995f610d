import type { WriteChange } from '#server/api/idempotent-call.ts';
import { restRouter } from '#server/api/router.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';
import { planAndWrite } from '#server/core/database/planned.ts';

/** A procedure, or a router of procedures. */
type Procedures = ((input: unknown) => Promise<unknown>) & { [name: string]: Procedures | undefined };

/**
 * Calls a procedure of the API. trpc-openapi's own handler does not fit: it parses a body only if `Content-Type` is exactly
 * `application/json`, turns repeated parameters into arrays, and puts error codes and raw messages into responses.
 * @param procedure path in the router (`findRoute`)
 * @param input path and query parameters, and the fields of the body
 * @param write how it writes its change
 * @throws TRPCError whose cause is the error of the procedure
 */
export async function callProcedure(
  procedure: string,
  input: Record<string, unknown>,
  caller: Caller,
  write: WriteChange = planAndWrite,
): Promise<unknown> {
  let called: Procedures | undefined = restRouter.createCaller({ caller, write }) as unknown as Procedures;
  for (const name of procedure.split('.')) called = called?.[name];
  if (!called) throw new Error(`There is no procedure ${procedure}.`);
  return called(input);
}
