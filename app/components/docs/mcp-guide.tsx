import { Code, CodeBlock } from '#app/components/docs/code-block.tsx';
import { GuideSection, type Names, Notice, Text } from '#app/components/docs/guide-section.tsx';

/** How an AI assistant is connected through MCP. */
export function McpGuide({ baseUrl }: Names) {
  return (
    <GuideSection id="mcp" title="AI assistants">
      <Text>
        Assistants that speak the Model Context Protocol read conversations and suggest replies at{' '}
        <Code>{baseUrl}/mcp</Code>. They need an API token from Settings &gt; Developers. With the abilities{' '}
        <Code>read</Code> and <Code>suggest_replies</Code> a teammate decides about each reply.
      </Text>
      <CodeBlock title="Claude Code" text={claudeCode(baseUrl)} />
      <CodeBlock title="VS Code, .vscode/mcp.json" text={vsCode(baseUrl)} json />
      <CodeBlock title="Cursor, ~/.cursor/mcp.json" text={cursor(baseUrl)} json />
      <Notice>
        Contacts can write instructions to an assistant. Their text is in fields named <Code>untrusted</Code>.
        Let your assistant ask before it sends or changes something.
      </Notice>
    </GuideSection>
  );
}

const claudeCode = (baseUrl: string) =>
  `claude mcp add --transport http inbox ${baseUrl}/mcp \\
  --header "Authorization: Bearer $TOKEN"`;

const vsCode = (baseUrl: string) => `{
  "inputs": [
    { "type": "promptString", "id": "token", "description": "API token", "password": true }
  ],
  "servers": {
    "inbox": {
      "type": "http",
      "url": "${baseUrl}/mcp",
      "headers": { "Authorization": "Bearer \${input:token}" }
    }
  }
}`;

const cursor = (baseUrl: string) => `{
  "mcpServers": {
    "inbox": {
      "url": "${baseUrl}/mcp",
      "headers": { "Authorization": "Bearer \${env:INBOX_TOKEN}" }
    }
  }
}`;
