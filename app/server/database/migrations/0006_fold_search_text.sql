-- Like "fold_text", with two differences. An acute accent or backtick that stands for an apostrophe becomes one, so that "O'Brien"
-- finds "O´Brien". The letters æ, œ, ð, þ and ς get their usual spelling, so that "Kjaer" finds "Kjær".
-- The acute accent is replaced first, because its normal form is a space. "fold_text" stays for the previous version of the product.
CREATE FUNCTION "fold_search_text"(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
	SELECT CASE
		WHEN octet_length($1) = length($1) THEN translate(lower($1), '`', '''')
		ELSE translate(
			replace(replace(replace(replace(
				lower(regexp_replace(
					normalize(translate($1, '´', ''''), NFKD),
					'[\u0300-\u036f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]',
					'',
					'g'
				)),
				'ß', 'ss'),
				'æ', 'ae'),
				'œ', 'oe'),
				'þ', 'th'
			),
			'`‘’‛ʼʻ′“”„‟‐‒–—―−øłđðıς',
			'''''''''''''''""""------olddiσ'
		)
	END
$$;--> statement-breakpoint
-- The old indexes are dropped last, because that stops all reads of the tables until the end of the migration.
CREATE INDEX "users_search_text" ON "users" USING gin (fold_search_text(email || ' ' || name) gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "orders_search_text" ON "orders" USING gin (fold_search_text(course_title) gin_trgm_ops);--> statement-breakpoint
DROP INDEX "users_text";--> statement-breakpoint
DROP INDEX "orders_text";--> statement-breakpoint
ALTER INDEX "users_search_text" RENAME TO "users_text";--> statement-breakpoint
ALTER INDEX "orders_search_text" RENAME TO "orders_text";
