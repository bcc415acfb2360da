entry @k() {
  %0 = make_token : token
  %1 = gdc_wait_tko token = %0 -> token
  return
}
