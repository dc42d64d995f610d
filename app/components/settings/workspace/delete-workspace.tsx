import { DeleteWorkspaceButton } from '#app/components/settings/workspace/delete-workspace-button.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/get-screens.ts';

/** The end of the workspace, for an owner; others read who can. */
export async function DeleteWorkspace({ mayDelete }: { mayDelete: boolean }) {
  const deletion = mayDelete ? await (await getScreens()).workspaces.deletion() : null;
  return (
    <Section
      id="delete-workspace"
      title="Delete workspace"
      about="It is deleted for everyone, with everything in it, and cannot be restored."
    >
      <div className="p-5">
        {deletion ? (
          <DeleteWorkspaceButton deletion={deletion} />
        ) : (
          <p className="text-ink-soft">Only owners can delete the workspace.</p>
        )}
      </div>
    </Section>
  );
}
