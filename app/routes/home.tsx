export default function Route() {
  return <h1 className="column title py-20">home</h1>
}
