import { LockKeyhole, MessageSquareText, Paperclip } from 'lucide-react';
import { SettingsListSearch } from '#app/components/contacts/list-search.tsx';
import {
  DeleteSavedReply,
  SavedReplyDialog,
} from '#app/components/settings/saved-replies/saved-reply-dialog.tsx';
import type { SavedReplyForm } from '#app/components/settings/saved-replies/saved-reply-form.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { EmptyState } from '#app/components/ui/empty-state.tsx';
import { FocusWhenLost } from '#app/components/ui/form-focus.ts';
import { RelativeTime } from '#app/components/ui/relative-time.tsx';
import { getScreens } from '#app/data/session.ts';
import { pluralize } from '#app/lib/format-count.ts';
import type { SavedReplyView } from '#server/screens/settings/views.ts';

/** Saved replies by folder, with a search. */
export async function SavedReplies({ search }: { search: string }) {
  const { replies, hasMore, total, ...form } = await (await getScreens()).savedReplies.get({ search });
  const folders = Map.groupBy(replies, ({ folder }) => folder);
  return (
    <section aria-labelledby="saved-replies" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="saved-replies" tabIndex={-1} className="text-base">
          {total === 0 ? 'No saved replies yet' : pluralize(total, 'saved reply', 'saved replies')}
        </h2>
        {total > 0 ? <SavedReplyDialog form={form} /> : null}
      </div>
      {total > 0 ? (
        <SettingsListSearch
          page="/settings/saved-replies"
          search={search}
          label="Search saved replies"
          placeholder="Name, folder or text"
        />
      ) : null}
      {replies.length === 0 ? (
        <Card>
          <Empty isSearching={total > 0} form={form} />
        </Card>
      ) : null}
      {[...folders].map(([folder, inside]) => (
        <section
          key={folder}
          aria-label={folder || 'No folder'}
          className="grid grid-cols-[minmax(0,1fr)] gap-2"
        >
          {folder === '' && folders.size === 1 ? null : (
            <h3 className="pt-2 font-medium text-ink-soft text-list [overflow-wrap:anywhere]">
              <bdi>{folder || 'No folder'}</bdi>
            </h3>
          )}
          <Card>
            <ul className="divide-y">
              {inside.map((saved) => (
                <Item key={saved.id} saved={saved} form={form} />
              ))}
            </ul>
          </Card>
        </section>
      ))}
      {hasMore ? <p className="text-ink-soft text-list">Search to find the others.</p> : null}
      <FocusWhenLost on={total} goTo="saved-replies" />
    </section>
  );
}

function Item({ saved, form }: { saved: SavedReplyView; form: SavedReplyForm }) {
  const { id, name, content, isPrivate, isYours, mayEdit, createdByName, usedCount, lastUsedAt, files } =
    saved;
  const nameId = `saved-reply-${id}`;
  return (
    <li aria-labelledby={nameId} className="grid gap-1.5 px-5 py-4 max-md:px-4">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p id={nameId} dir="auto" className="min-w-0 font-semibold [overflow-wrap:anywhere]">
          {name}
        </p>
        {mayEdit ? (
          <span className="flex gap-1 md:-mr-3.5">
            <SavedReplyDialog saved={saved} form={form} />
            <DeleteSavedReply id={id} name={name} isPrivate={isPrivate} />
          </span>
        ) : null}
      </div>
      <p dir="auto" className="line-clamp-3 whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
        {content}
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-list">
        {isPrivate ? (
          <span className="flex items-center gap-1">
            <LockKeyhole aria-hidden size={14} strokeWidth={1.75} />
            Only you
          </span>
        ) : (
          <span>Shared by {isYours ? 'you' : createdByName}</span>
        )}
        {files.length > 0 ? (
          <span className="flex items-center gap-1">
            <Paperclip aria-hidden size={14} strokeWidth={1.75} />
            {pluralize(files.length, 'file')}
          </span>
        ) : null}
        <span className="tabular">
          {usedCount === 0 || lastUsedAt === null ? (
            'Not used yet'
          ) : (
            <>
              Used {usedCount === 1 ? 'once' : pluralize(usedCount, 'time')}, last{' '}
              <RelativeTime at={lastUsedAt} />
            </>
          )}
        </span>
      </p>
    </li>
  );
}

function Empty({ isSearching, form }: { isSearching: boolean; form: SavedReplyForm }) {
  return isSearching ? (
    <EmptyState icon={MessageSquareText} title="No matches">
      <p>Try other words of the name, the folder or the text.</p>
    </EmptyState>
  ) : (
    <EmptyState
      icon={MessageSquareText}
      title="Write an answer once"
      action={<SavedReplyDialog form={form} />}
    >
      <p>Start with the reply that your team writes most often.</p>
    </EmptyState>
  );
}
