ALTER TABLE "orders" ADD COLUMN "withdrawal_days" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "refund_days" integer;