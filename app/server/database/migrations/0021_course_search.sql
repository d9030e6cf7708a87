CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS fuzzystrmatch;--> statement-breakpoint
CREATE TABLE "course_search" (
	"course_id" text PRIMARY KEY NOT NULL,
	"listed" boolean NOT NULL,
	"students" integer NOT NULL,
	"rating" real NOT NULL,
	"price_cents" integer NOT NULL,
	"updated" date NOT NULL,
	"category_step" smallint NOT NULL,
	"level_step" smallint NOT NULL,
	"rating_step" smallint NOT NULL,
	"length_step" smallint NOT NULL,
	"price_step" smallint NOT NULL,
	"language_step" smallint NOT NULL,
	"facets" integer NOT NULL,
	"instructor" text NOT NULL,
	"skills" text[] NOT NULL,
	"folded" text NOT NULL,
	"main" "tsvector" NOT NULL,
	"words" "tsvector" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_languages" (
	"number" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"courses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "search_languages_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "search_names" (
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"folded" text NOT NULL,
	"courses" integer NOT NULL,
	CONSTRAINT "search_names_kind_name_pk" PRIMARY KEY("kind","name")
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"word" text collate "C" PRIMARY KEY NOT NULL,
	"stem" text collate "C",
	"courses" integer NOT NULL,
	"anywhere" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "course_search" ADD CONSTRAINT "course_search_course_id_courses_id_fk" FOREIGN KEY ("course_id") REFERENCES "public"."courses"("id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "course_search_folded" ON "course_search" USING gin ("folded" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_main" ON "course_search" USING gin ("main") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_words" ON "course_search" USING gin ("words") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_skills" ON "course_search" USING gin ("skills") WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "course_search_instructor" ON "course_search" USING btree ("instructor");--> statement-breakpoint
CREATE INDEX "course_search_facets" ON "course_search" USING btree ("facets") WHERE listed;--> statement-breakpoint
CREATE INDEX "course_search_students" ON "course_search" USING btree ("students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_rated" ON "course_search" USING btree ("rating","students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_newest" ON "course_search" USING btree ("updated","students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_cheapest" ON "course_search" USING btree ((-price_cents),"students","course_id");--> statement-breakpoint
CREATE INDEX "course_search_dearest" ON "course_search" USING btree ("price_cents","students","course_id");--> statement-breakpoint
CREATE INDEX "search_names_common" ON "search_names" USING btree ("kind","courses");--> statement-breakpoint
CREATE INDEX "search_names_folded" ON "search_names" USING gin ("folded" gin_trgm_ops) WITH (fastupdate=off);--> statement-breakpoint
CREATE INDEX "search_words_stem" ON "search_words" USING btree ("stem");--> statement-breakpoint
CREATE INDEX "search_words_pieces" ON "search_words" USING gin ("word" gin_trgm_ops) WITH (fastupdate=off);