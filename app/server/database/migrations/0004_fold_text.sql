-- Removes case, accents, invisible characters, and forms of quotes and dashes, so that a search text finds names and titles.
-- ASCII text, which has as many bytes as characters, only needs lower case.
-- A changed function needs another name, because the indexes keep the results of this one.
CREATE FUNCTION "fold_text"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE
		WHEN octet_length($1) = length($1) THEN lower($1)
		ELSE translate(
			replace(
				lower(regexp_replace(
					normalize($1, NFKD),
					'[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]',
					'',
					'g'
				)),
				'ß',
				'ss'
			),
			'‘’‛ʼʻ′“”„‟‐‒–—―−øłđı',
			'''''''''''''""""------oldi'
		)
	END
$$;--> statement-breakpoint
-- The old indexes are dropped last, because that stops all reads of the tables until the end of the migration.
CREATE INDEX "users_text_folded" ON "users" USING gin (fold_text(email || ' ' || name) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_text_folded" ON "orders" USING gin (fold_text(course_title) gin_trgm_ops);--> statement-breakpoint
DROP INDEX "users_text";--> statement-breakpoint
DROP INDEX "orders_text";--> statement-breakpoint
ALTER INDEX "users_text_folded" RENAME TO "users_text";--> statement-breakpoint
ALTER INDEX "orders_text_folded" RENAME TO "orders_text";
