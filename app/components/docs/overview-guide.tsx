import { Code } from '#app/components/docs/code-block.tsx';
import { type Names, Rows, Text } from '#app/components/docs/guide-section.tsx';
import { Heading } from '#app/components/docs/heading.tsx';

/** What the API is for, who may use it, and where it is. */
export function OverviewGuide({ serviceName, platformName, baseUrl, apiBase }: Names) {
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4 pt-10 pb-8">
      <h1 className="text-2xl">Automation API</h1>
      <Text>
        With this API {platformName} works in a workspace of {serviceName}: it receives events as they happen,
        finds contacts and conversations, and changes them on behalf of the teammate who connected it.{' '}
        {platformName} is its only client, and tokens are issued only for its own return address.
      </Text>
      <Text>
        For programs of your own {serviceName} is not open yet. Signed outgoing webhooks and an HTTP tool of
        the AI agent are meant for that; neither is available today. A separate public API with tokens for
        each workspace is planned; its format may still change.
      </Text>
      <Heading level={2} id="overview" className="mt-4">
        Overview
      </Heading>
      <Text>
        A client does four things. It sends the teammate to a consent page and exchanges the code that comes
        back for tokens. It makes calls with the access token, and refreshes that every two hours. It
        subscribes a hook for each workflow that begins with an event, and unsubscribes it when the workflow
        is turned off. And it receives the events that are sent to the hook.
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
                <Code>{`${apiBase}/openapi.json`}</Code>, without a token. The reference below is made from
                it.
              </>
            ),
          },
          {
            key: 'version',
            name: 'Version',
            text: (
              <>
                <Code>v1</Code>, in the address; deliveries say <Code>Service-Integration/1</Code>.
              </>
            ),
          },
        ]}
      />
      <Text>
        Only owners and admins of a workspace can connect it, and each call checks that they still are one.
        All connections to a workspace together take one of its integration slots: Starter has 1, Growth 5,
        Business 15, and Scale any number. Internal notes and sending email need Growth or higher; email also
        needs a verified domain.
      </Text>
    </div>
  );
}
