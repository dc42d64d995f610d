import { Refusal } from '#app/components/consent/refusals.tsx';

type Props = { platformName: string; serviceName: string };

/** Somebody other than the platform sent the browser here, or it named a return address that is not its own. */
export function UnknownClient({ platformName, serviceName }: Props) {
  return (
    <Refusal
      title={`This address is for ${platformName} alone`}
      next={{ label: 'Go to the inbox', href: '/' }}
    >
      <p>
        The link that brought you here did not come from {platformName}, or part of it is missing. Nothing was
        connected.
      </p>
      <p>
        If you were connecting {platformName}, go back there and start again. If this page returns, tell its
        support that {serviceName} did not recognise the request.
      </p>
      <p>
        If you are building your own integration: {serviceName} does not accept other programs yet. Signed
        outgoing webhooks and an HTTP tool of the AI agent are meant for that; neither is available today. A
        public API is planned.
      </p>
    </Refusal>
  );
}
