import { z } from 'zod';
import { type ErrorResponse, errorResponse } from '#server/api/error-response.ts';
import { callOnce, KEY_PATTERN } from '#server/api/idempotent-call.ts';
import { openWriter } from '#server/api/write-change.ts';
import type { Program } from '#server/automation/tokens/find-program.ts';
import { FAULT_MESSAGE, Refusal } from '#server/core/errors.ts';
import { log } from '#server/core/log.ts';
import { developerApi } from '#server/developer-api/developer-api.ts';

/** Calls a procedure of the developer API as the program whose token came with the request. */
export type CallProcedure = (procedure: string, input?: Record<string, unknown>) => Promise<unknown>;

/** The argument of tools that write something each time they are called. */
export const idempotencyKey = z
  .string()
  .regex(new RegExp(KEY_PATTERN), 'Must have 1 to 255 visible ASCII characters')
  .optional()
  .describe('Repeat a call with the same key when its result is lost: it runs only once within 24 hours.');

export type Output = Record<string, unknown>;

export type Tool = {
  name: string;
  title: string;
  description: string;
  /** `idempotent`: calling it again with the same arguments changes nothing more. */
  effect: 'reads' | 'adds' | 'changes' | 'sends';
  isIdempotent?: boolean;
  /** The procedure that the tool calls, which names the ability that it needs. */
  procedure: string;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Arguments of a call, for clients and tests. */
  example: Record<string, unknown>;
  run: (call: CallProcedure, input: Record<string, unknown>) => Promise<Output>;
};

/**
 * Types the input of `run` by the schema of the tool. The schema refuses arguments that it does not name: a call without a filter or an
 * `idempotency_key` that a model misspelled would do something else than the model believes.
 */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    input: Input;
    run: (call: CallProcedure, input: z.output<Input>) => Promise<Output>;
  },
): Tool {
  return { ...tool, input: tool.input.strict() } as unknown as Tool;
}

/** A tool as `tools/list` shows it. Its texts are constants: nothing of a workspace or of a contact is in them. */
export function describeTool({ name, title, description, effect, isIdempotent, ...tool }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: { ...jsonSchemaOf(tool.input, 'input'), examples: [tool.example] },
    outputSchema: jsonSchemaOf(tool.output, 'output'),
    annotations: {
      title,
      readOnlyHint: effect === 'reads',
      // A sent reply cannot be taken back, and a changed value replaces another one.
      destructiveHint: effect === 'sends' || effect === 'changes',
      idempotentHint: effect === 'reads' || isIdempotent === true,
      openWorldHint: effect === 'sends',
    },
  };
}

type ObjectSchema = { type: 'object' } & Record<string, unknown>;

function jsonSchemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  return { ...z.toJSONSchema(schema, { io }), type: 'object' };
}

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Output;
  isError?: true;
};

/**
 * Runs a tool. A refusal is a result with `isError`, so that the model reads the sentence. The sentence is one of the
 * service: it never quotes a contact.
 */
export async function callTool(tool: Tool, program: Program, args: unknown): Promise<ToolResult> {
  const refusal = developerApi.refuse(program, tool.procedure);
  if (refusal !== undefined) return failed(refusal);
  const parsed = tool.input.safeParse(args ?? {});
  if (!parsed.success) return failed(describeIssues(parsed.error, tool));
  const { idempotency_key: key, ...input } = parsed.data;
  const call = typeof key === 'string' ? keyedCall(tool, program, key) : openCall(program);
  try {
    const structuredContent = await tool.run(call, input);
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (error) {
    const response = errorResponse(error);
    if (!response) {
      log().error({ err: error, tokenId: program.tokenId, tool: tool.name }, 'mcp.tool_failed');
      return failed(FAULT_MESSAGE);
    }
    const { message, errors } = response.body;
    return failed([...new Set([message, ...Object.values(errors ?? {}).flat()])].join(' '));
  }
}

function openCall(program: Program): CallProcedure {
  const writer = openWriter(developerApi.conditions(program));
  return (procedure, input = {}) => developerApi.call(procedure, { input, caller: program, writer });
}

/** Returns a call that runs once for its key, with the rules of `Idempotency-Key` in the developer API. */
function keyedCall(tool: Tool, program: Program, key: string): CallProcedure {
  return async (procedure, input = {}) => {
    const request = {
      ownerId: program.tokenId,
      workspaceId: program.workspace.id,
      key,
      method: 'POST',
      basePath: 'mcp:',
      path: `/conversations/${input.id}/${tool.name}`,
      body: Buffer.from(JSON.stringify(input)),
      successStatus: 201,
      conditions: developerApi.conditions(program),
    };
    const response = await callOnce(request, (writer) =>
      developerApi.call(procedure, { input, caller: program, writer }),
    );
    const body: unknown = 'json' in response ? JSON.parse(response.json) : response.body;
    if (response.status < 400) return body;
    const { message, errors } = body as ErrorResponse['body'];
    throw new Refusal('invalid', message, errors);
  };
}

function failed(message: string): ToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}

/** Returns which arguments are wrong, by their names in the schema. Zod's message may quote what was sent. */
function describeIssues({ issues }: z.ZodError, { input }: Tool): string {
  const lines = issues
    .slice(0, 10)
    .map(({ code, path, message }) =>
      code === 'unrecognized_keys'
        ? `The tool has only these: ${Object.keys(input.shape).join(', ')}.`
        : `${path.join('.') || 'arguments'}: ${message}.`,
    );
  return `The arguments are not valid. ${lines.join(' ')}`;
}
