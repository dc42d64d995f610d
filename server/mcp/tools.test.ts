import { describe, expect, test } from 'vitest';
import { TOOLS } from '#server/mcp/mcp-handler.ts';

describe.each([...TOOLS.values()])('the tool $tool.name', ({ tool, description }) => {
  test('is a verb and a noun, with a title, a sentence, and annotations of what it does', () => {
    expect(tool.name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect([description.title, description.description]).toEqual([
      expect.stringMatching(/^[A-Z]/),
      expect.stringMatching(/\.$/),
    ]);
    const isReading = /^(find|list|read|search)_/.test(tool.name);
    const isSending = tool.name.startsWith('send_');
    expect(description.annotations).toMatchObject({ readOnlyHint: isReading, openWorldHint: isSending });
    if (isReading) expect(description.annotations.destructiveHint).toBe(false);
  });

  test('has schemas of objects that JSON can express, and an example that its input accepts', () => {
    const { inputSchema, outputSchema } = JSON.parse(JSON.stringify(description));
    expect([inputSchema.type, outputSchema.type]).toEqual(['object', 'object']);
    expect(Object.keys(outputSchema.properties).length).toBeGreaterThan(0);
    expect(inputSchema.examples).toEqual([tool.example]);
    expect(tool.input.parse(tool.example)).toEqual(tool.example);
    expect(tool.input.safeParse(null).success).toBe(false);
    expect(inputSchema.additionalProperties).toBe(false);
  });
});
