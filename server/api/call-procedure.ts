/** A procedure, or a router of procedures. */
type Procedures = ((input: unknown) => Promise<unknown>) & { [name: string]: Procedures | undefined };

/**
 * Calls a procedure of an API. trpc-openapi's own handler does not fit: it parses a body only if `Content-Type` is exactly
 * `application/json`, turns repeated parameters into arrays, and puts error codes and raw messages into responses.
 * @param caller tRPC's caller of the router
 * @param procedure path in the router (`findRoute`)
 * @param input path and query parameters, and the fields of the body
 * @throws TRPCError whose cause is the error of the procedure
 */
export async function callProcedure(
  caller: unknown,
  procedure: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  let called = caller as Procedures | undefined;
  for (const name of procedure.split('.')) called = called?.[name];
  if (!called) throw new Error(`There is no procedure ${procedure}.`);
  return called(input);
}
