CREATE OR REPLACE FUNCTION public.stemmed_query(language text, words text[], is_prefix boolean)
 RETURNS tsquery
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE COST 10000
AS $function$
declare
  "every" tsquery;
  "meant" tsquery;
  "meant_count" int := 0;
  "either" tsquery;
  "stems" text[];
begin
  for "n" in 1 .. cardinality("words") loop
    -- PostgreSQL joins the parts of a word such as 1e07b by <->, which needs positions that are not stored.
    "either" := replace(to_tsquery('simple', '''' || "words"["n"] || '''' ||
      case when "is_prefix" and "n" = cardinality("words") then ':*' else '' end)::text, '<->', '&')::tsquery;
    "stems" := tsvector_to_array("stems_of"("language", "words"["n"]));
    if cardinality("stems") > 0 then
      "either" := "either" || (select string_agg('''' || "stem" || '''', ' & ') from unnest("stems") "stem")::tsquery;
      "meant" := case when "meant" is null then "either" else "meant" && "either" end;
      "meant_count" := "meant_count" + 1;
    end if;
    "every" := case when "every" is null then "either" else "every" && "either" end;
  end loop;
  return case when "meant_count" >= 2 then "meant" else "every" end;
end $function$
;
