import { formatCount } from './format-count'

const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** A file's size as systems tell it: '640 bytes', '12 KB', '1.5 MB'. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) {
    return bytes === 1 ? '1 byte' : `${bytes} bytes`
  }

  const kilobytes = Math.round(bytes / 1000)
  return kilobytes < 1000 ? `${kilobytes} KB` : `${digits.format(bytes / 1_000_000)} MB`
}

/** Number and size of downloads: '1 download, 12 KB', '3 downloads, 1.5 MB'. */
export function formatDownloads({ count, bytes }: { count: number; bytes: number }): string {
  return `${formatCount(count, 'download', 'downloads')}, ${formatSize(bytes)}`
}
