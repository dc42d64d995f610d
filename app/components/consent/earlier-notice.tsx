import type { EarlierApproval } from '#server/automation/oauth/consent-view.ts';

type Props = { earlier: EarlierApproval; platformName: string };

/** Says that this request was approved before, as after going back: approving again makes a second connection. */
export function EarlierNotice({ earlier, platformName }: Props) {
  const { workspaceName, isWaiting } = earlier;
  return (
    <p className="rounded-lg border border-note-line bg-note px-3.5 py-2.5 text-list text-note-ink">
      {isWaiting
        ? `You approved this already, for ${workspaceName}, and ${platformName} has not picked it up yet. ` +
          `If it shows no connection, start again from ${platformName}; an approval that is not picked up expires ` +
          'after ten minutes.'
        : `You approved this already: ${platformName} is connected to ${workspaceName}, and there is nothing ` +
          'left to do here. Connecting again makes a second connection.'}
    </p>
  );
}
