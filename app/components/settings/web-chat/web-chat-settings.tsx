import { ExternalLink, LockKeyhole } from 'lucide-react';
import { CodeBlock } from '#app/components/docs/code-block.tsx';
import { FileUsage } from '#app/components/settings/web-chat/file-usage.tsx';
import { buttonClass } from '#app/components/ui/button-class.ts';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { Section } from '#app/components/ui/section.tsx';
import { getScreens } from '#app/data/get-screens.ts';
import { roleName } from '#app/lib/role-name.ts';

/** How to put the chat on a site, or why this teammate cannot see that. */
export async function WebChatSettings({ workspaceName }: { workspaceName: string }) {
  const view = await (await getScreens()).webchat.settings();
  if (view.kind === 'not_allowed') {
    return (
      <Card>
        <EmptyState icon={LockKeyhole} title="Only owners and admins can set up the web chat">
          <p>
            It appears publicly on the site of {workspaceName} , and your role here is{' '}
            {roleName(view.role).toLowerCase()}. Ask an owner or admin for changes.
          </p>
        </EmptyState>
      </Card>
    );
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        id="embed"
        title="On your site"
        about="Copy this line into every page that should have the chat, just before the closing body tag. A button appears at the bottom right; nothing else on the page changes."
      >
        <div className="p-5">
          <CodeBlock title="Script tag" text={view.scriptTag} />
        </div>
      </Section>
      <Section
        id="try"
        title="Try it"
        about="Open a sample site with the chat, or the chat page, which you can link to, for example from an email. What you write there starts a real conversation."
      >
        <div className="flex flex-wrap gap-3 p-5">
          <NewTab href={view.tryPath}>Try it</NewTab>
          <NewTab href={view.chatPath}>Open the chat page</NewTab>
        </div>
      </Section>
      <Section
        id="files"
        title="Files"
        about="Files that contacts send are kept with the conversation. They share the workspace’s storage."
      >
        <FileUsage {...view.files} />
      </Section>
    </div>
  );
}

function NewTab({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
      {children}
      <ExternalLink aria-hidden size={15} />
      <span className="sr-only">(opens a new tab)</span>
    </a>
  );
}
