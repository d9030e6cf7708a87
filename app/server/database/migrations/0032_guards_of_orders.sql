ALTER TABLE "payments" DROP CONSTRAINT "payments_session_id_unique";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_intent_id_unique";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_attempt";--> statement-breakpoint
ALTER TABLE "receipts" DROP CONSTRAINT "receipts_ledger_id_unique";--> statement-breakpoint
ALTER TABLE "refunds" DROP CONSTRAINT "refunds_provider_id_unique";--> statement-breakpoint
CREATE INDEX "payments_of_order" ON "payments" USING btree ("order_id","attempt");--> statement-breakpoint
CREATE INDEX "payments_of_intent" ON "payments" USING btree ("intent_id");--> statement-breakpoint
CREATE INDEX "receipts_of_movement" ON "receipts" USING btree ("ledger_id");