CREATE TABLE "search_places" (
	"segment" text NOT NULL,
	"place" integer NOT NULL,
	"course_id" text NOT NULL,
	CONSTRAINT "search_places_segment_place_pk" PRIMARY KEY("segment","place"),
	CONSTRAINT "search_places_course" UNIQUE("course_id")
);
--> statement-breakpoint
CREATE TABLE "search_segments" (
	"segment" text PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"format" integer NOT NULL,
	"courses" integer NOT NULL,
	"words" text NOT NULL,
	"options" text NOT NULL,
	"built_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_sets" (
	"segment" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"members" "bytea" NOT NULL,
	CONSTRAINT "search_sets_segment_kind_name_pk" PRIMARY KEY("segment","kind","name")
);
--> statement-breakpoint
CREATE TABLE "search_synonyms" (
	"position" integer PRIMARY KEY NOT NULL,
	"phrases" text[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "courses" ADD COLUMN "sample" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "search_sets" ALTER COLUMN "members" SET STORAGE EXTERNAL;
