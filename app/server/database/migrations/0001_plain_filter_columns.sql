CREATE TABLE "catalog_counts" (
	"category" text collate "C" NOT NULL,
	"level" text collate "C" NOT NULL,
	"rating_range" text collate "C" NOT NULL,
	"length_range" text collate "C" NOT NULL,
	"price_range" text collate "C" NOT NULL,
	"language" text collate "C" NOT NULL,
	"courses" integer NOT NULL,
	CONSTRAINT "catalog_counts_pk" PRIMARY KEY("category","level","rating_range","length_range","price_range","language")
);
--> statement-breakpoint
DROP INDEX "course_search_facets";--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "category_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "level_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "rating_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "length_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "price_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "language_step" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ALTER COLUMN "facets" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "category" text collate "C";--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "level" text collate "C";--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "rating_range" text collate "C";--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "length_range" text collate "C";--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "price_range" text collate "C";--> statement-breakpoint
ALTER TABLE "course_search" ADD COLUMN "language" text collate "C";