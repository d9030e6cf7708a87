CREATE TABLE "product_state" (
	"id" integer PRIMARY KEY NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"changes" text[] DEFAULT '{}' NOT NULL
);
