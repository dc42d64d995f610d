-- A letter with an accent can be one character or two, as Windows writes Vietnamese. The search compares the composed form (NFC). Texts of
-- two characters that are stored already are found once their words are computed again, as after a change of the language.
create or replace function "separated_words"("given" text) returns text
  language sql immutable parallel safe
  return translate(case when "given" is normalized then "given" else normalize("given") end,
    U&'!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~\00a0\00a1\00ab\00b7\00bb\00bf\2013\2014\2018\2019\201a\201c\201d\201e\2022\2026\3001\3002\300c\300d',
    repeat(' ', 52));
