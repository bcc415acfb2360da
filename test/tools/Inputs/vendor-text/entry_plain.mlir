entry @k() {
  return
}
