import { type ReactNode, Suspense } from 'react';
import { RefreshElsewhere, RefreshOn } from '#app/components/live/refresh-on.tsx';
import { ScreensProvider } from '#app/components/live/screens-provider.tsx';
import { Announcer } from '#app/components/notifications/announcer.tsx';
import { LiveNotifications } from '#app/components/notifications/notification-popover.tsx';
import { FollowOtherTabs } from '#app/components/shell/follow-other-tabs.tsx';
import { Navigation } from '#app/components/shell/navigation.tsx';
import { SecondFactorBanner } from '#app/components/shell/second-factor-banner.tsx';
import { StoredThreads } from '#app/components/shell/stored-threads.tsx';
import { TestBanner } from '#app/components/shell/test-banner.tsx';
import { Tooltips } from '#app/components/shell/tooltips.tsx';
import { TopBar } from '#app/components/shell/top-bar.tsx';
import { UserMenu } from '#app/components/shell/user-menu.tsx';
import { WorkspaceSwitcher } from '#app/components/shell/workspace-switcher.tsx';
import { LoadOnceIdle } from '#app/components/ui/lazy-part.tsx';
import { NowProvider } from '#app/components/ui/now-provider.tsx';
import { Toaster } from '#app/components/ui/toaster.tsx';
import { InboxViewProvider } from '#app/components/view/inbox-view.tsx';
import { listNotifications } from '#app/data/cached-reads.ts';
import type { WorkspaceSession } from '#app/data/session.ts';
import { roleName } from '#app/lib/role-name.ts';
import type { Theme } from '#app/lib/themes.ts';

type Props = { session: WorkspaceSession; theme: Theme; shortcuts: ReactNode; children: ReactNode };

/** Layout of all signed-in pages: a sidebar, or a top bar with a menu on phones. */
export function Shell({ session, theme, shortcuts, children }: Props) {
  const { id: workspaceId, seesAll } = session.workspace;
  const viewer = { userId: session.user.id, workspaceId, seesAll };
  const switcher = (
    <WorkspaceSwitcher
      key={session.workspace.id}
      open={{ id: session.workspace.id, name: session.workspace.name }}
      all={session.workspaces.map(({ id, name, isTest, planName, role }) => ({
        id,
        name,
        about: `${isTest ? 'Test workspace' : `${planName} plan`} · ${roleName(role)}`,
      }))}
      locked={session.lockedWorkspaces.map((locked) => ({
        ...locked,
        about: locked.signOnPath ? 'Continue with single sign-on' : 'Sign in with your password to open it',
      }))}
    />
  );
  const navigation = <Navigation role={session.workspace.role} isTest={session.workspace.isTest} />;
  const bell = (
    <Suspense fallback={<span className="size-8 shrink-0 max-md:size-11" />}>
      <Bell key={session.workspace.id} />
    </Suspense>
  );
  const userMenu = <UserMenu user={session.user} theme={theme} />;
  return (
    <NowProvider renderedAt={Date.now()}>
      <ScreensProvider key={`${viewer.userId} ${viewer.workspaceId}`} viewer={viewer}>
        <InboxViewProvider>
          <a
            href="#content"
            className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-surface focus:px-3 focus:py-2"
          >
            Skip to content
          </a>
          {/* A dialog sets pointer-events of the body. The page does not inherit them, as the browser would compute the
              style of every element again. The dialog's shade covers the page. */}
          <div className="pointer-events-auto flex h-dvh flex-col">
            {session.workspace.isTest ? <TestBanner /> : null}
            <SecondFactorBanner closed={session.closedWorkspaces} due={session.secondFactorDue} />
            <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)] md:grid-cols-[15rem_minmax(0,1fr)] md:grid-rows-1">
              <TopBar switcher={switcher} bell={bell} navigation={navigation} userMenu={userMenu} />
              <aside aria-label="Sidebar" className="flex min-h-0 flex-col border-r max-md:hidden">
                <div className="flex items-center gap-1 p-2">
                  <div className="min-w-0 grow">{switcher}</div>
                  {bell}
                </div>
                <div className="scroll-pane grow">{navigation}</div>
                <div className="border-t p-2">{userMenu}</div>
              </aside>
              <main
                id="content"
                tabIndex={-1}
                className="min-h-0 min-w-0 bg-surface outline-none max-md:row-start-2"
              >
                {children}
              </main>
            </div>
          </div>
          <Announcer workspaceId={viewer.workspaceId} />
          <StoredThreads
            viewer={viewer}
            workspaces={session.workspaces.map((each) => ({
              id: each.id,
              role: each.role,
              seesAll: each.seesAll,
            }))}
          />
          {shortcuts}
        </InboxViewProvider>
      </ScreensProvider>
      <RefreshElsewhere />
      <RefreshOn topic="access" />
      <FollowOtherTabs userId={viewer.userId} workspaceId={workspaceId} />
      <Toaster />
      <Tooltips />
      <LoadOnceIdle />
    </NowProvider>
  );
}

async function Bell() {
  return <LiveNotifications served={await listNotifications()} />;
}
