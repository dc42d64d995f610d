import { createCaller } from '#server/api/router.ts';
import type { Caller } from '#server/automation/connections/find-caller.ts';

/** A procedure, or a router of procedures. */
type Procedures = ((input: unknown) => Promise<unknown>) & { [name: string]: Procedures | undefined };

/**
 * Calls a procedure of the contract. trpc-openapi's own handler is not used: it reads a body only under the exact header
 * `application/json`, turns repeated parameters into arrays, and writes error codes and raw messages into responses.
 * @param procedure its path in the router (`findRoute`)
 * @param input parameters of query and path, and fields of the body
 * @returns its output
 * @throws TRPCError with what it threw as its cause
 */
export async function callProcedure(
  procedure: string,
  input: Record<string, unknown>,
  caller: Caller,
): Promise<unknown> {
  let called: Procedures | undefined = createCaller({ caller }) as unknown as Procedures;
  for (const name of procedure.split('.')) called = called?.[name];
  if (!called) throw new Error(`There is no procedure ${procedure}.`);
  return called(input);
}
