CREATE TABLE "security_links" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"uid" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" ALTER COLUMN "uid" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "security_links" ADD CONSTRAINT "security_links_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "security_links_uid" ON "security_links" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "security_links_expires_at" ON "security_links" USING btree ("expires_at");