CREATE TABLE "refund_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"uid" text NOT NULL,
	"kind" text NOT NULL,
	"state" text DEFAULT 'stated' NOT NULL,
	"reason" text NOT NULL,
	"answer" text,
	"stated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "waiver" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "waived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD CONSTRAINT "refund_requests_uid_users_id_fk" FOREIGN KEY ("uid") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refund_requests_one_open" ON "refund_requests" USING btree ("order_id","kind") WHERE state in ('stated', 'asked');--> statement-breakpoint
CREATE INDEX "refund_requests_of_order" ON "refund_requests" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "refund_requests_uid" ON "refund_requests" USING btree ("uid");--> statement-breakpoint
CREATE INDEX "refund_requests_asked" ON "refund_requests" USING btree ("stated_at") WHERE state = 'asked';