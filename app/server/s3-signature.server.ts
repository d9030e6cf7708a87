import { createHash, createHmac } from 'node:crypto'

export type S3Credentials = { accessKeyId: string; secretAccessKey: string; region: string }
type S3Request = { method: string; url: URL; headers: Record<string, string>; body?: Uint8Array }

/**
 * Signs a request to an S3-compatible store: AWS Signature Version 4, with the body's hash in the signature.
 *
 * @param request its URL's path has to be encoded already; headers in lower case, without `host`.
 * @returns the headers to send, `host` excepted, which the sender sets from the URL.
 */
export function signS3Request(
  { method, url, headers, body }: S3Request,
  { accessKeyId, secretAccessKey, region }: S3Credentials,
  now: Date,
): Record<string, string> {
  const moment = now.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${moment.slice(0, 8)}/${region}/s3/aws4_request`
  const sent = { ...headers, 'x-amz-content-sha256': sha256(body ?? ''), 'x-amz-date': moment }
  const signed = Object.entries({ ...sent, host: url.host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const canonicalRequest = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    sent['x-amz-content-sha256'],
  ].join('\n')
  const stringToSign = ['AWS4-HMAC-SHA256', moment, scope, sha256(canonicalRequest)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  const signature = hmac(key, stringToSign).toString('hex')
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest()
}
