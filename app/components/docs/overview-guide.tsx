import { Code } from '#app/components/docs/code-block.tsx';
import { DocsLink, type Names, Rows, Text } from '#app/components/docs/guide-section.tsx';
import { Heading } from '#app/components/docs/heading.tsx';

export function OverviewGuide({ serviceName, platformName, baseUrl, apiBase }: Names) {
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 pt-10 pb-8">
      <h1 className="text-2xl">Automation API</h1>
      <Text>
        With this API {platformName} integrates with a {serviceName} workspace: it receives events as they
        happen, finds contacts and conversations, and changes them on behalf of the teammate who connected it.
      </Text>
      <Text>
        {serviceName} has one client, here {platformName}, and issues OAuth tokens only for its return
        address. Your own program can take its place: set its client id, secret, return address and host for
        hooks in the settings of {serviceName}. It then uses this API exactly like a platform.
      </Text>
      <Text>
        Other programs use the <DocsLink href="/docs/developer">developer API</DocsLink> with an API token of
        the workspace, which an owner or admin creates in Settings &gt; Developers. They get events by signed{' '}
        <DocsLink href="/docs/developer#webhooks">webhooks</DocsLink>, and AI assistants connect through{' '}
        <DocsLink href="#mcp">MCP</DocsLink>.
      </Text>
      <Heading level={2} id="overview" className="mt-4">
        Overview
      </Heading>
      <Text>
        A client sends the teammate to the consent page and exchanges the returned code for tokens. It makes
        calls with the access token, which it refreshes every two hours. For each workflow that starts with an
        event it subscribes a hook, an address that receives the events, and unsubscribes it when the workflow
        is turned off.
      </Text>
      <Rows
        rows={[
          { key: 'base', name: 'Service', text: <Code>{baseUrl}</Code> },
          { key: 'api', name: 'API', text: <Code>{apiBase}</Code> },
          {
            key: 'document',
            name: 'OpenAPI 3.1 document',
            text: (
              <>
                <Code>{`${apiBase}/openapi.json`}</Code>, without a token. The reference below is generated
                from it.
              </>
            ),
          },
          {
            key: 'version',
            name: 'Version',
            text: (
              <>
                <Code>v1</Code>, in the path. The User-Agent of deliveries is{' '}
                <Code>Service-Integration/1</Code>.
              </>
            ),
          },
        ]}
      />
      <Text>
        Only owners and admins of a workspace can connect it, and each call checks that the teammate still is
        owner or admin. All connections to a workspace share one of its integration slots: Starter has 1,
        Growth 5, Business 15, and Scale unlimited. Internal notes and email need Growth or higher, and email
        also needs a verified domain.
      </Text>
    </div>
  );
}
