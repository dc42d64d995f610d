import { ChevronRight } from 'lucide-react';
import { roleName } from '#app/lib/role-name.ts';

/** What each role can do, to be unfolded. */
export function RoleGuide({ platformName }: { platformName: string }) {
  const roles = [
    ['owner', `Can do everything, including changing the plan, adding owners and deleting the workspace.`],
    [
      'admin',
      `Manages teammates, settings and connections to ${platformName}, and can do everything agents can.`,
    ],
    ['agent', 'Answers contacts, takes conversations and runs commands.'],
    ['viewer', 'Reads everything. Cannot write or take conversations.'],
  ] as const;
  return (
    <details className="group text-list">
      <summary className="flex w-fit items-center gap-1.5 rounded-md font-medium text-ink-soft hover:text-ink max-md:h-11">
        <ChevronRight
          aria-hidden
          size={15}
          className="text-ink-faint transition-transform group-open:rotate-90"
        />
        What each role can do
      </summary>
      <dl className="mt-2 grid gap-2 pl-5">
        {roles.map(([role, may]) => (
          <div key={role} className="grid gap-x-4 sm:grid-cols-[5rem_minmax(0,1fr)]">
            <dt className="font-medium">{roleName(role)}</dt>
            <dd className="text-ink-soft">{may}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
