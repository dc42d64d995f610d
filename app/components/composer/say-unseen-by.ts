import { toast } from '#app/components/ui/toast.ts';

const names = new Intl.ListFormat('en-GB');

/** Says which teammates a note mentions who do not see its conversation, if any. */
export function sayUnseenBy(unseenBy: string[]): void {
  if (unseenBy.length === 0) return;
  toast(`Not notified: ${names.format(unseenBy)}`, {
    description: 'They can’t see this conversation. Assign it to them or their team first.',
  });
}
