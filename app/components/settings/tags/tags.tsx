import { TagIcon } from 'lucide-react';
import Link from 'next/link';
import { SettingsListSearch } from '#app/components/contacts/list-search.tsx';
import { deleteTag } from '#app/components/settings/tags/actions.ts';
import {
  MergeTagDialog,
  NewTagsSwitch,
  TagColor,
  TagNameDialog,
} from '#app/components/settings/tags/tag-controls.tsx';
import { buttonClass } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { DeleteButton } from '#app/components/ui/delete-button.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { tagClass } from '#app/components/view/tag-class.ts';
import { getScreens } from '#app/data/session.ts';
import { countedWords, pluralize } from '#app/lib/format-count.ts';
import { inboxPath } from '#app/lib/inbox-path.ts';
import type { TagView } from '#server/screens/settings/views.ts';

/** The tags of the workspace, page by page, and who may create them. */
export async function Tags({ search, after }: { search: string; after: string | undefined }) {
  const { newTagsByAdmins, tags, next } = await (await getScreens()).tags.list({ search, after });
  const isWhole = search === '' && after === undefined;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card>
        <NewTagsSwitch isLimited={newTagsByAdmins} />
      </Card>
      <section aria-labelledby="tags" className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 id="tags" tabIndex={-1} className="text-base">
            {isWhole && next === null && tags.length > 0 ? pluralize(tags.length, 'tag') : 'All tags'}
          </h2>
          <TagNameDialog />
        </div>
        {isWhole && tags.length === 0 ? null : (
          <SettingsListSearch
            page="/settings/tags"
            search={search}
            label="Search tags"
            placeholder="Start of the tag"
          />
        )}
        <Card>
          {tags.length === 0 ? (
            <Empty isWhole={isWhole} />
          ) : (
            <ul aria-labelledby="tags" className="divide-y">
              {tags.map((tag) => (
                <TagItem key={tag.key} tag={tag} />
              ))}
            </ul>
          )}
        </Card>
        {isWhole && next === null ? null : <Pages search={search} after={after} next={next} />}
        <FocusWhenLost on={tags.map(({ key }) => key).join('\n')} goTo="tags" />
      </section>
    </div>
  );
}

const list = new Intl.ListFormat('en-GB');

function TagItem({ tag }: { tag: TagView }) {
  const { key, name, tint, conversations, automations, workflows, isChanging } = tag;
  const nameId = `tag-${encodeURIComponent(key)}`;
  const reached =
    conversations.count === 0
      ? 'No conversation has it.'
      : `${countedWords(conversations, 'conversation')} will lose it.`;
  return (
    <li
      aria-labelledby={nameId}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3 max-md:px-4"
    >
      <div className="grid min-w-0 gap-1">
        <bdi
          id={nameId}
          className={tagClass(
            tint ?? undefined,
            'w-fit max-w-full rounded-md border px-1.5 font-medium text-list [overflow-wrap:anywhere]',
          )}
        >
          {name}
        </bdi>
        <p className="text-ink-soft text-list">
          <Link
            href={inboxPath({ status: 'all', tag: name, selected: undefined })}
            className="text-accent-ink underline"
          >
            {countedWords(conversations, 'conversation')}
          </Link>
          {automations.length > 0 ? ` · Used by ${list.format(automations)}` : ''}
          {isChanging ? ' · Conversations are being changed' : ''}
        </p>
      </div>
      <div className="-mr-3.5 flex flex-wrap gap-1 max-sm:-ml-3.5">
        <TagColor tagKey={key} name={name} tint={tint} />
        <TagNameDialog tag={tag} />
        <MergeTagDialog tag={tag} />
        <DeleteButton
          name={name}
          title={`Delete the tag ${name}?`}
          act={deleteTag.bind(null, key)}
          variant="quiet"
        >
          <p>
            {reached} Workflows and programs that add it create it again.
            {workflows > 0
              ? ` ${pluralize(workflows, 'workflow')} of the platform start when it is added.`
              : ''}
          </p>
          <p>This can’t be undone.</p>
        </DeleteButton>
      </div>
    </li>
  );
}

function Empty({ isWhole }: { isWhole: boolean }) {
  return isWhole ? (
    <EmptyState icon={TagIcon} title="Say what conversations are about">
      <p>Create the tags that your team uses, or add one to a conversation with the key T.</p>
    </EmptyState>
  ) : (
    <EmptyState icon={TagIcon} title="No matches">
      <p>The search finds tags that start with it.</p>
    </EmptyState>
  );
}

function Pages({ search, after, next }: { search: string; after: string | undefined; next: string | null }) {
  const pathOf = (page: Record<string, string>) => {
    const query = new URLSearchParams({ ...(search ? { search } : {}), ...page });
    return `/settings/tags${query.size > 0 ? `?${query}` : ''}`;
  };
  return (
    <nav aria-label="Pages of tags" className="flex justify-end gap-2">
      {after === undefined ? null : (
        <Link href={pathOf({})} className={buttonClass('secondary')}>
          First
        </Link>
      )}
      {next === null ? null : (
        <Link href={pathOf({ after: next })} className={buttonClass('secondary')}>
          Next
        </Link>
      )}
    </nav>
  );
}
