CREATE TABLE "search_categories" (
	"number" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "search_categories_name_unique" UNIQUE("name")
);
--> statement-breakpoint
ALTER TABLE "categories" ALTER COLUMN "courses" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "id" text;--> statement-breakpoint
ALTER TABLE "categories" ADD COLUMN "card" text;--> statement-breakpoint
ALTER TABLE "categories" ADD CONSTRAINT "categories_id_unique" UNIQUE("id");