import { Checkbox } from '#app/components/ui/checkbox.tsx';
import type { Preferences } from '#server/screens/notification-views.ts';

/** Value of the checkbox for conversations without a team. */
export const NO_TEAM = 'none';

export type ConversationChoices = {
  teams: { id: string; name: string }[];
  channels: { channel: Preferences['muted']['channels'][number]; name: string }[];
};

type Props = ConversationChoices & { muted: Preferences['muted'] };

/** Chooses the teams and channels whose new conversations notify a teammate. */
export function NewConversationFields({ muted, teams, channels }: Props) {
  const teamBoxes = [
    { value: NO_TEAM, label: 'No team', isOn: !muted.noTeam },
    ...teams.map(({ id, name }) => ({ value: id, label: name, isOn: !muted.teamIds.includes(id) })),
  ];
  const channelBoxes = channels.map(({ channel, name }) => ({
    value: channel,
    label: name,
    isOn: !muted.channels.includes(channel),
  }));
  return (
    <div className="grid gap-4 border-t pt-5">
      <div className="grid gap-1">
        <h2 className="text-base">New and unassigned conversations</h2>
        <p className="max-w-[65ch] text-ink-soft text-list">
          You’re notified of up to five at a time. A notification is marked as read when someone takes,
          answers or solves the conversation. Automatic emails, and conversations that an automation assigns
          or the AI agent answers, don’t notify you.
        </p>
      </div>
      {teams.length > 0 ? (
        <Boxes legend="In these teams" name="team" shown="shownTeam" boxes={teamBoxes} />
      ) : null}
      <Boxes legend="On these channels" name="newOn" shown="shownChannel" boxes={channelBoxes} />
    </div>
  );
}

type BoxesProps = {
  legend: string;
  name: string;
  /** Name of the hidden fields that list all boxes: an unchecked box is not submitted. */
  shown: string;
  boxes: { value: string; label: string; isOn: boolean }[];
};

function Boxes({ legend, name, shown, boxes }: BoxesProps) {
  return (
    <fieldset>
      <legend className="pb-2 font-medium text-list">{legend}</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 gap-y-2.5 max-md:gap-y-4">
        {boxes.map(({ value, label, isOn }) => (
          <div key={value}>
            <input type="hidden" name={shown} value={value} />
            <Checkbox name={name} value={value} label={label} defaultChecked={isOn} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
