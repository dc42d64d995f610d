import { HiddenFields } from '#app/components/consent/hidden-fields.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { PostedForm } from '#server/automation/oauth/consent-view.ts';

/** The way back to the platform, which is told that nothing was connected. */
export function CancelForm({ form }: { form: PostedForm }) {
  return (
    <form method="post" action={form.action} className="grid">
      <HiddenFields fields={form.fields} />
      <Button type="submit" name="decision" value="cancel">
        Cancel
      </Button>
    </form>
  );
}
