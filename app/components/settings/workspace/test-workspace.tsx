import {
  CreateTestButton,
  OpenTestButton,
} from '#app/components/settings/workspace/test-workspace-buttons.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/session.ts';

/** The test workspace: how to create it, or how to open it. */
export async function TestWorkspace({ mayCreate }: { mayCreate: boolean }) {
  const test = mayCreate ? await (await getScreens()).testWorkspace.find() : null;
  return (
    <Section
      id="test-workspace"
      title="Test workspace"
      about="Try automations, workflows and your own programs where no message reaches a contact."
    >
      <div className="grid justify-items-start gap-3 p-5 max-md:justify-items-stretch">
        {mayCreate ? null : <p className="text-ink-soft">Only owners can create a test workspace.</p>}
        {mayCreate && !test ? (
          <>
            <p className="max-w-[65ch] text-ink-soft">
              It has the same teammates and settings, and no data. Its emails and messages end in an outbox
              that you can read, and its API tokens begin differently.
            </p>
            <CreateTestButton />
          </>
        ) : null}
        {test ? (
          <>
            <p className="max-w-[65ch] text-ink-soft">
              {test.name} is the test workspace. To start again, delete it there and create another.
            </p>
            <OpenTestButton id={test.id} name={test.name} />
          </>
        ) : null}
      </div>
    </Section>
  );
}
