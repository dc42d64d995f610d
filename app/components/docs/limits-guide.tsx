import { Code } from '#app/components/docs/code-block.tsx';
import { GuideSection, Rows, Text } from '#app/components/docs/guide-section.tsx';

/** Every limit of the API (docs/spec.md §8). */
export function LimitsGuide() {
  return (
    <GuideSection id="limits" title="Limits">
      <Text>
        A connection may make 300 calls a minute. Every response contains the remaining number in{' '}
        <Code>X-RateLimit-Remaining</Code>. The minute starts with the first call, and the count resets when
        the minute is over. A call over the limit gets <Code>429</Code> with <Code>Retry-After</Code> in
        seconds.
      </Text>
      <Rows rows={LIMITS.map(([name, text]) => ({ key: name, name, text }))} />
    </GuideSection>
  );
}

const LIMITS = [
  ['Calls', '300 a minute for each connection'],
  ['Tokens and revoking', '60 a minute for each IP address'],
  ['Consent', '20 approvals a minute for each teammate'],
  ['Authorization code', '10 minutes, single use'],
  ['Access token', '2 hours'],
  ['redirect_uri, state', 'at most 500 characters each'],
  ['code_challenge, code_verifier', '43 to 128 characters'],
  ['Live hooks', '500 for each workspace'],
  ['target_url', 'at most 500 characters'],
  ['Tags', '1 to 20 in one call, each at most 40 characters'],
  ['Command', 'at most 48 characters'],
  ['Samples', 'at most 3'],
  ['Search results', 'at most 10'],
  ['Contact', 'name 160, email 255, phone 60, city 120, language 8 characters'],
  ['Create Conversation', 'email 254, name 160, subject 200, content 8,000 characters'],
  ['Reply', '8,000 characters'],
  ['Note', '10,000 characters'],
  ['Body', '1 MB'],
  ['Delivery', '5 seconds to connect, 15 seconds in total'],
  ['Attempts', '5, after 30 seconds, 2, 10 and 30 minutes'],
  ['Integration slots', 'Starter 1, Growth 5, Business 15, Scale unlimited'],
] as const;
