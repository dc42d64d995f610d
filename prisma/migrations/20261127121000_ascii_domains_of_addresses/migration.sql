-- Addresses compare with their domain in ASCII. Converts those that mail brought with a domain in Unicode. A contact keeps the
-- Unicode form if another contact of the workspace has the ASCII form: teammates then decide whether they are one person.

-- Punycode of a label (RFC 3492 §6.3).
create function pg_temp.punycode("label" text) returns text language plpgsql as $$
declare
  codes int[] := array(select ascii(c) from regexp_split_to_table("label", '') c);
  output text := regexp_replace("label", '[^\x01-\x7f]', '', 'g');
  basic int := length(regexp_replace("label", '[^\x01-\x7f]', '', 'g'));
  handled int := basic;
  n int := 128;
  delta bigint := 0;
  bias int := 72;
  m int; code int; q bigint; k int; t int; damp int;
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
begin
  if basic > 0 then output := output || '-'; end if;
  while handled < cardinality(codes) loop
    select min(c) into m from unnest(codes) c where c >= n;
    delta := delta + (m - n)::bigint * (handled + 1);
    n := m;
    foreach code in array codes loop
      if code < n then delta := delta + 1; end if;
      if code = n then
        q := delta;
        k := 36;
        loop
          t := least(greatest(k - bias, 1), 26);
          exit when q < t;
          output := output || substr(digits, (t + (q - t) % (36 - t))::int + 1, 1);
          q := (q - t) / (36 - t);
          k := k + 36;
        end loop;
        output := output || substr(digits, q::int + 1, 1);
        damp := case when handled = basic then 700 else 2 end;
        delta := delta / damp;
        delta := delta + delta / (handled + 1);
        k := 0;
        while delta > 455 loop
          delta := delta / 35;
          k := k + 36;
        end loop;
        bias := k + (36 * delta / (delta + 38))::int;
        delta := 0;
        handled := handled + 1;
      end if;
    end loop;
    delta := delta + 1;
    n := n + 1;
  end loop;
  return output;
end $$;

create function pg_temp.ascii_email("email" text) returns text language sql as $$
  select regexp_replace("email", '@[^@]*$', '@') || string_agg(
    case when l.label ~ '^[\x01-\x7f]*$' then l.label else 'xn--' || pg_temp.punycode(l.label) end, '.' order by l.at)
  from regexp_split_to_table(normalize(lower(substring("email" from '[^@]*$')), nfkc), '[.。]') with ordinality l (label, at)
$$;

with converted as (
  select distinct on (c."workspace_id", pg_temp.ascii_email(c."email")) c."id", c."workspace_id", pg_temp.ascii_email(c."email") as "email"
  from "contacts" c where c."email" ~ '@[^@]*[^\x01-\x7f][^@]*$'
  order by c."workspace_id", pg_temp.ascii_email(c."email"), c."created_at"
)
update "contacts" c set "email" = n."email" from converted n
where c."id" = n."id" and length(n."email") <= 255
  and not exists (select from "contacts" o where o."workspace_id" = n."workspace_id" and o."email" = n."email")
  and not exists (select from "contact_identities" i where i."workspace_id" = n."workspace_id" and i."channel" = 'email'
    and i."scope" = '' and i."external_id" = n."email");

with converted as (
  select distinct on (i."workspace_id", pg_temp.ascii_email(i."external_id")) i."id", i."workspace_id",
    pg_temp.ascii_email(i."external_id") as "email"
  from "contact_identities" i where i."channel" = 'email' and i."external_id" ~ '@[^@]*[^\x01-\x7f][^@]*$'
  order by i."workspace_id", pg_temp.ascii_email(i."external_id"), i."created_at"
)
update "contact_identities" i set "external_id" = n."email" from converted n
where i."id" = n."id"
  and not exists (select from "contacts" o where o."workspace_id" = n."workspace_id" and o."email" = n."email")
  and not exists (select from "contact_identities" o where o."workspace_id" = n."workspace_id" and o."channel" = 'email'
    and o."scope" = '' and o."external_id" = n."email");

update "contacts" set "claimed_email" = pg_temp.ascii_email("claimed_email")
where "claimed_email" ~ '@[^@]*[^\x01-\x7f][^@]*$';

update "blocked_senders" b set "value" = pg_temp.ascii_email(b."value")
where b."kind" = 'address' and b."value" ~ '@[^@]*[^\x01-\x7f][^@]*$' and not exists (
  select from "blocked_senders" o where o."workspace_id" = b."workspace_id" and o."kind" = 'address'
    and o."id" <> b."id" and pg_temp.ascii_email(o."value") = pg_temp.ascii_email(b."value"));

drop function pg_temp.ascii_email(text);
drop function pg_temp.punycode(text);
