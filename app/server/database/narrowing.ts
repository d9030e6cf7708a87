/**
 * Migrations that take away what an earlier version of the product uses, and the newest one that a version has to have to do
 * without it. All others only add, so that the former version runs on beside a new one, and again after it.
 */
export const narrowing: Readonly<Record<string, string>> = {
  // Nothing was released before.
  '0007_search_formats': '0014_certificate_ids',
  '0010_outbox_next': '0014_certificate_ids',
  '0014_certificate_ids': '0014_certificate_ids',
  '0020_search_sets_go': '0021_course_search',
}
