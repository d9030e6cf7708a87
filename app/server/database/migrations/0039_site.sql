CREATE TABLE "site_pictures" (
	"name" text PRIMARY KEY NOT NULL,
	"bytes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "site_versions" (
	"part" text NOT NULL,
	"version" integer NOT NULL,
	"value" jsonb,
	"by" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "site_versions_part_version_pk" PRIMARY KEY("part","version")
);
